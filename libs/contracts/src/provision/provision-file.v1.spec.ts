import { ProvisionFile } from './provision-file.v1';

const urlOf = (url: string) =>
  ProvisionFile.safeParse({ version: 1, instances: [{ id: 'default', url }] }).data?.instances[0]?.url;

describe('the URL of an instance', () => {
  it.each([
    ['https://cloud.example.org', 'https://cloud.example.org'],
    ['https://cloud.example.org/', 'https://cloud.example.org'],
    ['https://cloud.example.org/index.php', 'https://cloud.example.org'],
    ['https://cloud.example.org:8443/nextcloud/', 'https://cloud.example.org:8443/nextcloud'],
    ['https://cloud.example.org/nextcloud/index.php/', 'https://cloud.example.org/nextcloud'],
    ['https://cloud.example.org/nextcloud//index.php', 'https://cloud.example.org/nextcloud'],
    ['http://127.0.0.1:8080/a/b', 'http://127.0.0.1:8080/a/b'],
  ])('%s keeps its sub-folder and nothing else', (given, kept) => {
    expect(urlOf(given)).toBe(kept);
    expect(urlOf(kept)).toBe(kept);
  });

  it.each([
    ...['cloud.example.org', 'ftp://cloud.example.org', ''],
    // It stands in logs and answers: no place for a password.
    'https://user:pass@cloud.example.org',
    ...['https://cloud.example.org/?x', 'https://cloud.example.org/#y'],
  ])('is not %j', (given) => {
    expect(urlOf(given)).toBeUndefined();
  });
});
