import { PostToRoomRequest, PROMPT_KEY_PREFIX } from '@nuqloud/contracts';
import { isPromptKey, keyOfPart, promptKey } from './prompt-key';

const confirmation = '4be0643f-1d98-4f9b-97de-2ec6a24c1e31';

describe('the key of a prompt', () => {
  it('is that of its confirmation', () => {
    expect(keyOfPart({ confirmation, part: 'prompt' })).toBe(`confirm:${confirmation}`);
    expect(keyOfPart({ confirmation, part: 'prompt', cause: '7' })).toBe(promptKey(confirmation));
  });

  it('is another one for every further line and every cause of it', () => {
    expect(keyOfPart({ confirmation, part: 'expired' })).toBe(`confirm:${confirmation}:expired`);
    expect(keyOfPart({ confirmation, part: 'code', cause: '7' })).toBe(`confirm:${confirmation}:code:7`);
  });

  it('fits into the outbox', () => {
    const longest = keyOfPart({ confirmation, part: 'expired', cause: '9'.repeat(20) });
    expect(PostToRoomRequest.shape.key.safeParse(longest).success).toBe(true);
  });

  it('is what nobody else may use', () => {
    expect(isPromptKey(promptKey(confirmation))).toBe(true);
    expect(isPromptKey(PROMPT_KEY_PREFIX)).toBe(true);
    expect(isPromptKey('turn:confirm:1')).toBe(false);
  });
});
