import { envelope } from './envelope';

const json = (reply: { body?: string | Buffer }) => JSON.parse(String(reply.body)) as unknown;

describe('the OCS envelope', () => {
  it('calls success 200 in v2 and 100 in v1, which adds two empty counts', () => {
    const answer = { status: 200, data: { a: 1 } };
    expect(json(envelope(answer, 'v2', 'json'))).toEqual({
      ocs: { meta: { status: 'ok', statuscode: 200, message: 'OK' }, data: { a: 1 } },
    });
    expect(json(envelope(answer, 'v1', 'json'))).toEqual({
      ocs: {
        meta: { status: 'ok', statuscode: 100, message: 'OK', totalitems: '', itemsperpage: '' },
        data: { a: 1 },
      },
    });
  });

  it('tells a failure by HTTP in v2, but only in the envelope in v1', () => {
    const answer = { status: 404, message: 'No', data: [] };
    expect(envelope(answer, 'v2', 'json').status).toBe(404);
    const v1 = envelope(answer, 'v1', 'json');
    expect(v1.status).toBe(200);
    expect(json(v1)).toMatchObject({ ocs: { meta: { status: 'failure', statuscode: 404, message: 'No' } } });
  });

  it('keeps 401 in v1 and sends no body with 304', () => {
    expect(envelope({ status: 401, statuscode: 997, data: [] }, 'v1', 'json').status).toBe(401);
    expect(envelope({ status: 304, data: [] }, 'v2', 'json')).toEqual({ status: 304 });
  });

  it('escapes angle brackets and slashes in JSON', () => {
    expect(envelope({ status: 200, data: '<a/>' }, 'v2', 'json').body).toContain('"\\u003Ca\\/\\u003E"');
  });

  it('writes lists as elements and truth as 1 in XML', () => {
    const { body } = envelope(
      { status: 200, data: { list: ['a', { b: true }], none: null, no: false, text: '<&' } },
      'v2',
      'xml',
    );
    expect(body).toContain(
      ' <data>\n  <list>\n   <element>a</element>\n   <element>\n    <b>1</b>\n   </element>\n  </list>\n  <none/>\n  <no/>\n  <text>&lt;&amp;</text>\n </data>',
    );
  });
});
