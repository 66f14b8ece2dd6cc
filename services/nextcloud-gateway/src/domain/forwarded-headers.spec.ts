import * as fc from 'fast-check';
import { answerHeaders, requestHeaders } from './forwarded-headers';

describe('requestHeaders', () => {
  it('hands on what DAV and OCS need', () => {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/xml',
      depth: '1',
      range: 'bytes=0-9',
      'if-match': '"a"',
      'if-none-match': '*',
      overwrite: 'F',
      'x-oc-mtime': '1700000000',
      'oc-checksum': 'SHA256:00',
      'ocs-apirequest': 'true',
      'x-nc-paginate': 'true',
    };
    expect(requestHeaders(headers)).toEqual(headers);
  });

  it.each([
    'authorization',
    'cookie',
    'x-nuqloud-attestation',
    'x-nuqloud-uid',
    'authorization-app-api',
    'ex-app-id',
    'aa-version',
    'x-nextcloud-federation',
    'x-forwarded-for',
    'x-real-ip',
    'forwarded',
    'x-http-method-override',
    'proxy-authorization',
    'connection',
    'transfer-encoding',
    'upgrade',
    'host',
    'expect',
    'accept-encoding',
    'destination',
    'if',
    'x-nc-webdav-automkcol',
    'oc-total-length',
    'x-user-lock',
    'origin',
    'referer',
  ])('keeps back %s', (name) => {
    expect(requestHeaders({ [name]: 'x', accept: '*/*' })).toEqual({ accept: '*/*' });
  });

  it('hands on no header that it does not know', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        fc.pre(
          !/^(accept|accept-language|content-type|depth|if-.*|oc-checksum|ocs-apirequest|overwrite|range|x-nc-.*|x-oc-mtime)$/.test(
            name,
          ),
        );
        expect(requestHeaders({ [name]: 'x' })).toEqual({});
      }),
    );
  });
});

describe('answerHeaders', () => {
  it('hands on what Nextcloud says about the file', () => {
    const headers = { etag: '"a"', 'content-type': 'text/plain', 'content-length': '3', 'oc-fileid': '1' };
    expect(answerHeaders(headers)).toEqual(headers);
  });

  it('strips cookies, hop-by-hop headers and those of the gateway itself', () => {
    const stripped = answerHeaders({
      'set-cookie': ['nc_session=1', 'oc_x=2'],
      connection: 'keep-alive, X-Only-Here',
      'keep-alive': 'timeout=5',
      'x-only-here': '1',
      'transfer-encoding': 'chunked',
      upgrade: 'h2c',
      'proxy-authenticate': 'Basic',
      'x-nuqloud-gateway-error': 'GATEWAY.INTERNAL',
      etag: '"a"',
    });
    expect(stripped).toEqual({ etag: '"a"' });
  });
});
