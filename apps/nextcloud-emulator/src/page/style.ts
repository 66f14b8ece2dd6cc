/** How many colours avatars have. */
export const HUES = 9;
const hueRules = Array.from({ length: HUES }, (_, at) => `.hue-${at} { --hue: ${at * (360 / HUES)}; }`).join(
  '\n',
);

/** The stylesheet of the chat page. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #eef1f5; --panel: #fff; --text: #1c232b; --dim: #5b6673; --line: #d5dbe2;
  --accent: #00679e; --on-accent: #fff; --own: #d9ecf8; --warn-back: #fff3d1; --warn-text: #5d4300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14181d; --panel: #1f252c; --text: #e7ebef; --dim: #9aa5b1; --line: #37414b;
    --accent: #5cb4e6; --on-accent: #06202f; --own: #153a50; --warn-back: #3d3108; --warn-text: #ffe19a;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  display: grid; grid-template-rows: auto auto 1fr auto; height: 100dvh;
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text); background: var(--back);
}
body > * { width: 100%; max-width: 860px; margin-inline: auto; min-width: 0; }
header { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; padding: 10px 14px; background: var(--panel); }
h1 { font-size: 1rem; margin: 0; flex: 1 1 auto; }
form.choice { display: flex; gap: 10px; flex: 1 1 320px; min-width: 0; }
form.choice label { flex: 1 1 0; min-width: 0; font-size: .75rem; color: var(--dim); }
select { display: block; width: 100%; padding: 6px 8px; font: inherit; font-size: 1rem; color: var(--text); background: var(--back); border: 1px solid var(--line); border-radius: 8px; text-overflow: ellipsis; }
.notice { padding: 6px 14px; font-size: .85rem; background: var(--warn-back); color: var(--warn-text); }
.notice p { margin: 0; }
main { overflow-y: auto; padding: 12px 14px; overflow-anchor: none; }
ol.messages { list-style: none; margin: 0; padding: 0; display: flex; flex-direction: column; gap: 10px; }
.message { display: flex; gap: 8px; align-items: flex-start; position: relative; max-width: 100%; }
.message.own { flex-direction: row-reverse; }
.avatar { flex: none; width: 32px; height: 32px; border-radius: 50%; display: grid; place-items: center; font-weight: 600; font-size: .9rem; color: #fff; background: hsl(var(--hue) 45% 40%); }
.bubble { min-width: 0; max-width: min(80%, 620px); padding: 7px 12px 8px; border-radius: 14px; background: var(--panel); overflow-wrap: anywhere; }
.own .bubble { background: var(--own); }
.bot .bubble { border-left: 3px solid var(--accent); }
.head { font-size: .8rem; color: var(--dim); }
.name { font-weight: 600; color: var(--text); }
.system { text-align: center; font-size: .8rem; color: var(--dim); }
.text > :first-child { margin-top: 2px; } .text > :last-child { margin-bottom: 0; }
.text p, .text ul, .text ol, .text pre, .text blockquote { margin: 6px 0; }
.text ul, .text ol { padding-left: 1.4em; }
.heading { font-weight: 700; }
.text pre { padding: 8px 10px; border-radius: 8px; overflow-x: auto; background: var(--back); font-size: .85rem; }
code { font-family: ui-monospace, monospace; font-size: .9em; background: var(--back); padding: 1px 4px; border-radius: 4px; }
pre code { padding: 0; background: none; font-size: inherit; }
.text blockquote { padding-left: 10px; border-left: 3px solid var(--line); color: var(--dim); }
a { color: var(--accent); }
.chip { padding: 0 6px; border-radius: 10px; background: var(--back); font-weight: 600; }
.file, .deleted { margin: 2px 0; } .deleted { font-style: italic; color: var(--dim); }
.quote { display: block; margin: 4px 0; padding: 3px 8px; border-left: 3px solid var(--accent); font-size: .82rem; color: var(--dim); text-decoration: none; background: var(--back); border-radius: 0 8px 8px 0; }
.reactions { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 6px; }
button { font: inherit; color: inherit; cursor: pointer; }
.reaction { padding: 1px 9px; font-size: .85rem; border: 1px solid var(--line); border-radius: 12px; background: var(--back); }
.reaction[aria-pressed="true"] { border-color: var(--accent); background: var(--own); }
.actions { flex: none; position: relative; }
.actions summary { list-style: none; cursor: pointer; width: 32px; height: 32px; display: grid; place-items: center; border-radius: 50%; color: var(--dim); user-select: none; }
.actions summary::-webkit-details-marker { display: none; }
.actions summary:hover, .actions[open] summary { background: var(--line); }
.menu { position: absolute; z-index: 2; top: 34px; right: 0; width: max-content; padding: 6px; display: flex; flex-direction: column; gap: 2px; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 4px 18px rgb(0 0 0 / .25); }
.own .menu { right: auto; left: 0; }
.menu button { padding: 7px 10px; text-align: left; border: 0; border-radius: 8px; background: none; }
.menu button:hover { background: var(--back); }
.quick { display: flex; } .quick button { padding: 5px 7px; font-size: 1.1rem; }
footer { padding: 8px 14px max(10px, env(safe-area-inset-bottom)); background: var(--panel); }
.context { display: flex; gap: 8px; align-items: center; font-size: .85rem; color: var(--dim); padding-bottom: 6px; }
.context[hidden] { display: none; }
.context span { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.context button { border: 0; background: none; text-decoration: underline; padding: 4px; }
.problem { margin: 0 0 6px; color: #b3261e; font-size: .85rem; } .problem:empty { display: none; }
@media (prefers-color-scheme: dark) { .problem { color: #ff9d94; } }
form.write { display: flex; gap: 8px; align-items: flex-end; }
textarea { flex: 1; min-width: 0; min-height: 42px; max-height: 34vh; padding: 9px 12px; font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--line); border-radius: 12px; resize: none; field-sizing: content; }
.send { flex: none; padding: 9px 16px; border: 0; border-radius: 12px; font-weight: 600; background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
${hueRules}
@media (max-width: 480px) { h1 { flex-basis: 100%; } .bubble { max-width: calc(100% - 80px); } .avatar { width: 28px; height: 28px; font-size: .8rem; } }
`;
