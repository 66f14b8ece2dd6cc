-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "ingress_bots" (
    "bot" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "instance_url" TEXT NOT NULL,
    "sealed_secret" TEXT,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "paused_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ingress_bots_pkey" PRIMARY KEY ("bot")
);

-- CreateTable
CREATE TABLE "ingress_apps" (
    "instance" TEXT NOT NULL,
    "bot" TEXT,
    "bot_name" TEXT,
    "sealed_secret" TEXT,
    "init_due" BOOLEAN NOT NULL DEFAULT false,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ingress_apps_pkey" PRIMARY KEY ("instance")
);

-- CreateTable
CREATE TABLE "ingress_app_rooms" (
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ingress_app_rooms_pkey" PRIMARY KEY ("instance","bot","room")
);

-- CreateTable
CREATE TABLE "ingress_rooms" (
    "instance" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "last_seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ingress_rooms_pkey" PRIMARY KEY ("instance","room")
);

-- CreateTable
CREATE TABLE "ingress_posts" (
    "id" BIGSERIAL NOT NULL,
    "instance" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "bot" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB,
    "reference_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT,
    "maybe_posted" BOOLEAN NOT NULL DEFAULT false,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "tried_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "final_at" TIMESTAMPTZ(3),

    CONSTRAINT "ingress_posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ingress_known_messages" (
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "message" BIGINT NOT NULL,

    CONSTRAINT "ingress_known_messages_pkey" PRIMARY KEY ("instance","bot","room")
);

-- CreateTable
CREATE TABLE "gateway_instances" (
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "app_id" TEXT,
    "app_version" TEXT,
    "sealed_secret" TEXT,
    "history_reader" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gateway_instances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gateway_grants" (
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "profile" TEXT,

    CONSTRAINT "gateway_grants_pkey" PRIMARY KEY ("bot","tool")
);

-- CreateTable
CREATE TABLE "agent_bots" (
    "slug" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "instance_url" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "triggers" TEXT[],
    "prompt" TEXT NOT NULL,
    "model_name" TEXT,
    "temperature" DOUBLE PRECISION,
    "users" JSONB NOT NULL,
    "guests" BOOLEAN NOT NULL,
    "forced_search" TEXT NOT NULL,
    "default_mode" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_bots_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "agent_rooms" (
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "mode" TEXT NOT NULL,

    CONSTRAINT "agent_rooms_pkey" PRIMARY KEY ("bot","room")
);

-- CreateTable
CREATE TABLE "bot_tools" (
    "bot" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "is_built_in" BOOLEAN NOT NULL DEFAULT true,
    "is_pattern" BOOLEAN NOT NULL DEFAULT false,
    "expanded_at" TIMESTAMPTZ(3),
    "from_pattern" TEXT,
    "scope" JSONB,
    "confirm" TEXT NOT NULL DEFAULT 'default',
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "bot_tools_pkey" PRIMARY KEY ("bot","tool")
);

-- CreateTable
CREATE TABLE "agent_tools" (
    "instance" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "summary" TEXT NOT NULL,

    CONSTRAINT "agent_tools_pkey" PRIMARY KEY ("instance","name")
);

-- CreateTable
CREATE TABLE "agent_inbox" (
    "id" BIGSERIAL NOT NULL,
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "correlation_id" TEXT NOT NULL,
    "event" JSONB,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_inbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_leases" (
    "instance" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_leases_pkey" PRIMARY KEY ("instance","room")
);

-- CreateTable
CREATE TABLE "agent_turns" (
    "id" UUID NOT NULL,
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "thread" TEXT,
    "inbox_id" BIGINT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'running',
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 1,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_turns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_turn_steps" (
    "turn_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "result" JSONB,

    CONSTRAINT "agent_turn_steps_pkey" PRIMARY KEY ("turn_id","n")
);

-- CreateTable
CREATE TABLE "agent_conversation" (
    "id" BIGSERIAL NOT NULL,
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "thread" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "person" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "tokens" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_conversation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_prompts" (
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "person" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',

    CONSTRAINT "agent_prompts_pkey" PRIMARY KEY ("instance","bot","room","person")
);

-- CreateTable
CREATE TABLE "agent_receipts" (
    "id" BIGSERIAL NOT NULL,
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "person" TEXT NOT NULL,
    "turn_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "receipt" JSONB NOT NULL,
    "scope" JSONB,
    "done_at" TIMESTAMPTZ(3) NOT NULL,
    "undone_at" TIMESTAMPTZ(3),
    "undoing" UUID,

    CONSTRAINT "agent_receipts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "confirmation_bots" (
    "slug" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "triggers" TEXT[],

    CONSTRAINT "confirmation_bots_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "confirmations" (
    "id" UUID NOT NULL,
    "instance" TEXT NOT NULL,
    "bot" TEXT NOT NULL,
    "room" TEXT NOT NULL,
    "thread" TEXT,
    "sub" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "zone" TEXT,
    "text" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'asked',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "posted_at" TIMESTAMPTZ(3),
    "answer" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "told" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "confirmations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "confirmation_actions" (
    "confirmation_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "action" JSONB,
    "title" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'asked',
    "claimant" TEXT,
    "grant_id" TEXT,
    "claim_hash" TEXT,
    "claimed_at" TIMESTAMPTZ(3),
    "claim_deadline" TIMESTAMPTZ(3),
    "outcome" JSONB,

    CONSTRAINT "confirmation_actions_pkey" PRIMARY KEY ("confirmation_id","n")
);

-- CreateIndex
CREATE INDEX "ingress_posts_state_instance_room_seq_idx" ON "ingress_posts"("state", "instance", "room", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "ingress_posts_instance_key_part_key" ON "ingress_posts"("instance", "key", "part");

-- CreateIndex
CREATE UNIQUE INDEX "ingress_posts_instance_room_seq_key" ON "ingress_posts"("instance", "room", "seq");

-- CreateIndex
CREATE INDEX "agent_inbox_state_instance_room_id_idx" ON "agent_inbox"("state", "instance", "room", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_inbox_instance_bot_room_dedupe_key_key" ON "agent_inbox"("instance", "bot", "room", "dedupe_key");

-- CreateIndex
CREATE UNIQUE INDEX "agent_turns_inbox_id_key" ON "agent_turns"("inbox_id");

-- CreateIndex
CREATE INDEX "agent_conversation_instance_bot_room_thread_id_idx" ON "agent_conversation"("instance", "bot", "room", "thread", "id");

-- CreateIndex
CREATE INDEX "agent_receipts_instance_bot_room_person_id_idx" ON "agent_receipts"("instance", "bot", "room", "person", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_receipts_turn_id_n_key" ON "agent_receipts"("turn_id", "n");

-- CreateIndex
CREATE INDEX "confirmations_instance_room_sub_state_idx" ON "confirmations"("instance", "room", "sub", "state");

-- CreateIndex
CREATE INDEX "confirmations_instance_bot_room_answer_idx" ON "confirmations"("instance", "bot", "room", "answer");

-- CreateIndex
CREATE UNIQUE INDEX "confirmations_instance_bot_room_message_digest_key" ON "confirmations"("instance", "bot", "room", "message", "digest");

-- CreateIndex
CREATE UNIQUE INDEX "confirmation_actions_grant_id_key" ON "confirmation_actions"("grant_id");

-- CreateIndex
CREATE UNIQUE INDEX "confirmation_actions_claim_hash_key" ON "confirmation_actions"("claim_hash");

-- CreateIndex
CREATE INDEX "confirmation_actions_state_claim_deadline_idx" ON "confirmation_actions"("state", "claim_deadline");

-- AddForeignKey
ALTER TABLE "agent_rooms" ADD CONSTRAINT "agent_rooms_bot_fkey" FOREIGN KEY ("bot") REFERENCES "agent_bots"("slug") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bot_tools" ADD CONSTRAINT "bot_tools_bot_fkey" FOREIGN KEY ("bot") REFERENCES "agent_bots"("slug") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_turn_steps" ADD CONSTRAINT "agent_turn_steps_turn_id_fkey" FOREIGN KEY ("turn_id") REFERENCES "agent_turns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "confirmation_actions" ADD CONSTRAINT "confirmation_actions_confirmation_id_fkey" FOREIGN KEY ("confirmation_id") REFERENCES "confirmations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
