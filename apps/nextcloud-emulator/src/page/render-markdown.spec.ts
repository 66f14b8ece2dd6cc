import fc from 'fast-check';
import { renderMarkdown } from './render-markdown';

const render = (source: string) => renderMarkdown(source, {});

describe('renderMarkdown', () => {
  it.each([
    [
      '**bold** and *italics* and _italics_',
      '<p><strong>bold</strong> and <em>italics</em> and <em>italics</em></p>',
    ],
    ['`a < b` and snake_case_name', '<p><code>a &lt; b</code> and snake_case_name</p>'],
    ['- one\n- **two**', '<ul><li>one</li><li><strong>two</strong></li></ul>'],
    ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
    ['> quoted\n> twice', '<blockquote>quoted<br>twice</blockquote>'],
    ['# Title\ntext\nmore\n\nnext', '<p class="heading">Title</p><p>text<br>more</p><p>next</p>'],
    ['```\n**a** <b>\n```', '<pre><code>**a** &lt;b&gt;</code></pre>'],
    ['```\nnever closed', '<pre><code>never closed</code></pre>'],
    ['not \\*bold\\*', '<p>not *bold*</p>'],
  ])('shows %j', (source, html) => {
    expect(render(source)).toBe(html);
  });

  it('links to http and https only', () => {
    expect(render('[site](https://example.org/?a=1&b=2)')).toBe(
      '<p><a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">site</a></p>',
    );
    expect(render('see https://example.org/a.')).toContain('href="https://example.org/a"');
    expect(render('[x](javascript:alert(1))')).toBe('<p>[x](javascript:alert(1))</p>');
  });

  it('shows what a placeholder stands for as a name, never as markup', () => {
    const parameters = { 'mention-user1': { name: '**<b>Bob</b>**' } };
    expect(renderMarkdown('Hi {mention-user1} {other}', parameters)).toBe(
      '<p>Hi <span class="chip">@**&lt;b&gt;Bob&lt;/b&gt;**</span> {other}</p>',
    );
  });

  it('lets no tag or attribute through that it does not make itself, whatever the text', () => {
    const pieces = fc.constantFrom(
      '<script>',
      '<img src=x onerror=y>',
      '"',
      "'",
      '>',
      '<',
      '&',
      '**',
      '*',
      '_',
      '`',
      '```',
      '\n',
      '- ',
      '> ',
      '[',
      '](',
      ')',
      'https://e.org/',
      '\\',
      '{a}',
      'text',
      ' ',
    );
    const own =
      /<\/?(?:p|strong|em|ul|ol|li|blockquote|pre|code|br)>|<p class="heading">|<\/a>|<\/span>|<a href="https?:\/\/[^"<>]*" target="_blank" rel="noopener noreferrer">|<span class="chip">/g;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const html = renderMarkdown(parts.join(''), { a: { name: '<i>"' } });
        expect(html.replace(own, '')).not.toMatch(/[<>"']/);
      }),
    );
  });
});
