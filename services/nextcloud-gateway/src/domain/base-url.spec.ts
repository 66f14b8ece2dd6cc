import { parseBaseUrl } from './base-url';

it.each([
  ['https://cloud.example.org', 'https://cloud.example.org', ''],
  ['https://cloud.example.org/nextcloud', 'https://cloud.example.org', '/nextcloud'],
  ['http://127.0.0.1:8080/a/b', 'http://127.0.0.1:8080', '/a/b'],
])('the base URL %s is %s and the folder "%s"', (stored, origin, path) => {
  expect(parseBaseUrl(stored)).toEqual({ origin, path });
});
