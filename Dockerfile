# One image for every service and for the administrator's command line; docker-compose.yml says what runs in each container.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# Only the migrations engine is looked for there, which is not used: the product applies migrations by itself.
ENV PRISMA_SCHEMA_ENGINE_BINARY=/bin/true
RUN npm ci --no-audit --no-fund && npx prisma generate && npx tsc -b tsconfig.build.json
# What runs needs neither sources nor tools, and nothing of the emulator and of the tests.
RUN npm ci --no-audit --no-fund --omit=dev --ignore-scripts \
      --workspace=@nuqloud/all-in-one --workspace=@nuqloud/nuqloud \
 && rm -rf apps/launcher apps/nextcloud-emulator apps/reference libs/testing \
 && find libs services apps -maxdepth 2 \( -name src -o -name test -o -name bin -o -name 'tsconfig*.json' \) -exec rm -rf {} + \
 && find libs services apps -name .tsbuildinfo -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/libs ./libs
COPY --from=build /app/services ./services
COPY --from=build /app/apps ./apps
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY docker/healthcheck.mjs ./docker/
# A new volume takes over the owner of the folder on which it is mounted first.
RUN install -d -o node -g node /keys /spool /hand-out/nats /hand-out/nats-data \
 && for service in $(node -p "require('@nuqloud/contracts').SERVICES.join(' ')"); do \
      install -d -o node -g node "/hand-out/$service"; \
    done
USER node
ENTRYPOINT ["node"]
CMD ["apps/all-in-one/dist/main.js"]
