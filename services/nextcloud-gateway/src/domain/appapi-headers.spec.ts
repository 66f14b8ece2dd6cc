import { appApiHeaders } from './appapi-headers';

it('spells the AppAPI login as the protocol has it', () => {
  const appApi = { id: 'helper_app', version: '1.0.0', secret: 'topsecret' };
  expect(appApiHeaders(appApi, 'alice')).toEqual({
    'EX-APP-ID': 'helper_app',
    'EX-APP-VERSION': '1.0.0',
    'AA-VERSION': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    'AUTHORIZATION-APP-API': 'YWxpY2U6dG9wc2VjcmV0',
  });
  const header = appApiHeaders(appApi, 'zoë')['AUTHORIZATION-APP-API'] ?? '';
  expect(Buffer.from(header, 'base64').toString('utf8')).toBe('zoë:topsecret');
});
