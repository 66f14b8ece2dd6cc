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
});
