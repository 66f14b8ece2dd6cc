/** A fenced code block (CommonMark 4.5): what opens it, and what closes it. */
export interface Fence {
  readonly opener: string;
  readonly closer: string;
}

export interface Line {
  /** Offset of its first character. */
  readonly start: number;
  /** The line before it is blank: a paragraph begins. */
  readonly afterBlank: boolean;
  /** The code block in which the line begins. */
  readonly fence: Fence | undefined;
  /** It ends that block. */
  readonly closes: boolean;
}

/** A longer line is text that looks like a fence; each part of a split message has room for fences up to this. */
export const MAX_FENCE = 100;

const OPENER = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;

/** The lines of a Markdown text, each with the code block it stands in. */
export const readLines = (text: string): Line[] => {
  const lines: Line[] = [];
  let fence: Fence | undefined;
  let afterBlank = false;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, end);
    const closes = fence !== undefined && closesFence(line, fence);
    lines.push({ start, afterBlank, fence, closes });
    if (closes) fence = undefined;
    else fence ??= openedBy(line);
    afterBlank = line.trim() === '';
    start = end;
  }
  return lines;
};

const openedBy = (line: string): Fence | undefined => {
  const opener = line.trimEnd();
  const [, indent, marker] = (line.length <= MAX_FENCE && OPENER.exec(opener)) || [];
  return marker === undefined ? undefined : { opener, closer: `${indent ?? ''}${marker}` };
};

/** The same character, at least as often, and nothing else. */
const closesFence = (line: string, fence: Fence): boolean => {
  const marker = line.trim();
  const opened = fence.closer.trimStart();
  return marker.startsWith(opened) && marker.replaceAll(opened.charAt(0), '') === '';
};
