import { grantFor } from './grants';
import type { Grant } from './grants';

const grant = (tool: string, mode: Grant['mode'] = 'user'): Grant => ({ tool, mode, profile: null });

describe('grantFor', () => {
  it('finds a tool by its name', () => {
    expect(grantFor([grant('files_list'), grant('files_read')], 'files_read')).toEqual(grant('files_read'));
  });

  it('finds a tool by a pattern', () => {
    expect(grantFor([grant('files_*')], 'files_read')).toEqual(grant('files_*'));
  });

  it('prefers the own name to a pattern, and the longer pattern to the shorter', () => {
    const grants = [grant('files_*'), grant('files_read', 'agent'), grant('files_restore_*', 'agent')];
    expect(grantFor(grants, 'files_read')?.mode).toBe('agent');
    expect(grantFor(grants, 'files_restore_version')?.mode).toBe('agent');
    expect(grantFor(grants, 'files_list')?.mode).toBe('user');
  });

  it('takes nothing but a last * for a pattern', () => {
    expect(grantFor([grant('files_lis')], 'files_list')).toBeUndefined();
    expect(grantFor([grant('files.list')], 'files_list')).toBeUndefined();
    expect(grantFor([grant('files_*')], 'FILES_list')).toBeUndefined();
    expect(grantFor([], 'files_list')).toBeUndefined();
  });

  it('lets whoever may use a tool undo it, in the same mode', () => {
    const agent = { tool: 'files_delete', mode: 'agent', profile: 'workspace' } as const;
    expect(grantFor([agent], 'files_restore')).toEqual(agent);
    expect(grantFor([grant('files_mk*')], 'files_delete')).toEqual(grant('files_mk*'));
    expect(grantFor([agent], 'files_write')).toBeUndefined();
    expect(grantFor([agent], 'files_restore_version')).toBeUndefined();
  });

  it('is not the grant of an undone tool where the tool has its own', () => {
    const own = grant('files_rest*');
    expect(grantFor([grant('files_delete', 'agent'), own], 'files_restore')).toEqual(own);
  });

  it('goes no further than one step: who undoes is not undone', () => {
    // files_restore is granted through files_delete alone, so it lends nothing to its own inverse.
    expect(grantFor([grant('files_append')], 'files_delete')).toBeUndefined();
  });

  it('prefers acting as the asker where two undone tools have different modes', () => {
    const grants = [grant('files_write', 'agent'), grant('files_mkdir', 'user')];
    expect(grantFor(grants, 'files_delete')).toEqual(grant('files_mkdir', 'user'));
  });
});
