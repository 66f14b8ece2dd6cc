import fc from 'fast-check';
import { Client } from 'pg';
import { serviceDatabaseUrl, serviceRole } from './service-role';

describe('serviceDatabaseUrl', () => {
  it('replaces the login and keeps the rest', () => {
    const url = serviceDatabaseUrl(
      'postgresql://owner:s3cret@db.example:5433/nuqloud?sslmode=disable',
      'agent',
      'p',
    );
    expect(url).toBe('postgresql://nuqloud_agent:p@db.example:5433/nuqloud?sslmode=disable');
  });

  it('carries every password to the server as it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (password) => {
        const connectionString = serviceDatabaseUrl('postgresql://o:p@localhost/d', 'talk-ingress', password);
        const client = new Client({ connectionString });
        expect([client.user, client.password]).toEqual(['nuqloud_talk_ingress', password]);
      }),
    );
  });

  it("does not let the owner's login through as a parameter", () => {
    const connectionString = serviceDatabaseUrl('postgresql://h/d?user=owner&password=s3cret', 'agent', 'p');
    const client = new Client({ connectionString });
    expect([client.user, client.password]).toEqual(['nuqloud_agent', 'p']);
  });

  it('refuses a URL without a host, which can hold no login', () => {
    expect(() => serviceDatabaseUrl('postgresql:///d?host=/run/postgresql', 'agent', 'p')).toThrow(
      'must name a host',
    );
  });
});

describe('serviceRole', () => {
  it('needs no quoting in SQL', () => {
    expect(serviceRole('nextcloud-gateway')).toBe('nuqloud_nextcloud_gateway');
  });
});
