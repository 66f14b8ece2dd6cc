import { normaliseBaseUrl, parseBaseUrl } from './base-url';

describe('the base URL', () => {
  it.each([
    ['https://cloud.example.org', 'https://cloud.example.org', ''],
    ['https://cloud.example.org/', 'https://cloud.example.org', ''],
    ['https://cloud.example.org/index.php', 'https://cloud.example.org', ''],
    ['https://cloud.example.org/nextcloud/', 'https://cloud.example.org/nextcloud', '/nextcloud'],
    ['https://cloud.example.org/nextcloud/index.php/', 'https://cloud.example.org/nextcloud', '/nextcloud'],
    ['http://127.0.0.1:8080/a/b', 'http://127.0.0.1:8080/a/b', '/a/b'],
    ['https://user:pass@cloud.example.org/?x#y', 'https://cloud.example.org', ''],
  ])('%s keeps its sub-folder and nothing else', (given, stored, path) => {
    expect(normaliseBaseUrl(given)).toBe(stored);
    expect(parseBaseUrl(stored)).toEqual({ origin: new URL(given).origin, path });
  });
});
