/**
 * Which tools may undo what a tool did. The inverse need not be assigned to the bot: whoever may use the tool may
 * undo it, within the same scope and mode; where the inverse asks, it asks.
 */
export const UNDO_TOOLS: Readonly<Record<string, readonly string[]>> = {
  files_write: ['files_delete', 'files_restore_version'],
  files_append: ['files_restore_version'],
  files_mkdir: ['files_delete'],
  files_delete: ['files_restore'],
  files_restore: ['files_delete'],
  files_restore_version: ['files_restore_version'],
};

/** The tools whose effect this one can undo. */
export const undoneBy = (inverse: string): string[] =>
  Object.entries(UNDO_TOOLS)
    .filter(([, inverses]) => inverses.includes(inverse))
    .map(([tool]) => tool);
