import fc from 'fast-check';
import { InvalidXml, readXml } from './xml-reader';
import { element, text, xmlDocument } from './xml-writer';

describe('reading XML', () => {
  it('resolves prefixes to namespaces wherever they are declared', () => {
    const root = readXml(
      '<x:a xmlns:x="DAV:"><y:b xmlns:y="urn:y">t<![CDATA[<&]]></y:b><c xmlns="urn:c"/></x:a>',
    );
    expect(root).toMatchObject({ namespace: 'DAV:', name: 'a' });
    expect(root.children).toMatchObject([
      { namespace: 'urn:y', name: 'b', text: 't<&' },
      { namespace: 'urn:c', name: 'c' },
    ]);
  });

  it('refuses a DOCTYPE, so that no entity can be defined', () => {
    expect(() => readXml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toThrow(
      new InvalidXml('A DOCTYPE is not accepted'),
    );
  });

  it.each(['', '<a>', '<a></b>', '<p:a/>', 'text', '<a>&unknown;</a>', '<a/><b/>'])(
    'refuses %j',
    (source) => {
      expect(() => readXml(source)).toThrow(InvalidXml);
    },
  );

  it('refuses elements that are nested without end', () => {
    expect(() => readXml('<a>'.repeat(100) + '</a>'.repeat(100))).toThrow(/nested too deeply/);
  });
});

describe('writing XML', () => {
  it('is read back as the same text, whatever the text', () => {
    const anyText = fc
      .string({ unit: 'binary' })
      .map((value) =>
        value.replace(/\ufffe|\uffff|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff]/g, '-'),
      );
    fc.assert(
      fc.property(anyText, (value) => {
        const written = xmlDocument(element('d:a', { 'xmlns:d': 'DAV:' }, [text(value)]));
        expect(readXml(written).text).toBe(value);
      }),
    );
  });

  it('closes an element without children at once and indents on demand', () => {
    const root = element('a', {}, [element('b'), element('c', {}, [text('1')])]);
    expect(xmlDocument(root)).toBe('<?xml version="1.0"?>\n<a><b/><c>1</c></a>\n');
    expect(xmlDocument(root, { indent: ' ' })).toBe('<?xml version="1.0"?>\n<a>\n <b/>\n <c>1</c>\n</a>\n');
  });
});
