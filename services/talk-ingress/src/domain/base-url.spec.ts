import { normaliseBaseUrl } from './base-url';

describe('normaliseBaseUrl', () => {
  it.each([
    ['https://cloud.example', 'https://cloud.example'],
    ['https://cloud.example/', 'https://cloud.example'],
    ['https://cloud.example:8443/nextcloud/', 'https://cloud.example:8443/nextcloud'],
    ['https://cloud.example/nextcloud/index.php/', 'https://cloud.example/nextcloud'],
  ])('of %s is %s', (url, expected) => {
    expect(normaliseBaseUrl(url)).toBe(expected);
  });
});
