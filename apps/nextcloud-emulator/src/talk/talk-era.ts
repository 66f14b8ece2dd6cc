import { majorOf } from '../world/world';
import type { InstalledVersions } from '../world/world';

/** What differs between the versions of Talk, as far as a bot sees it. */
export interface TalkEra {
  /** `talkParticipantType` and `inReplyTo` in webhooks, `Like` and `Undo`: Talk 21. */
  readonly repliesAndReactions: boolean;
  /** Talk 21 to 23 name the author of the message as the one who reacted. */
  readonly reactionNamesAuthor: boolean;
  /** `object.name` of a shared file: empty up to Talk 22, `message` from 23. */
  readonly fileShareName: '' | 'message';
  /** `threadId` in the chat API: Talk 22. */
  readonly threads: boolean;
  /** `published` in webhooks; the exact release is not known, here Talk 24. */
  readonly published: boolean;
  /** Thread ids in webhooks (`object.threadId`) and in what bots send; merged in March 2026, here Talk 24. */
  readonly botThreads: boolean;
  /** `POST /bot/ask-features`: Talk 25. */
  readonly askFeatures: boolean;
}

export function talkEra(versions: InstalledVersions): TalkEra {
  const major = majorOf(versions.talk);
  return {
    repliesAndReactions: major >= 21,
    reactionNamesAuthor: major >= 21 && major <= 23,
    fileShareName: major >= 23 ? 'message' : '',
    threads: major >= 22,
    published: major >= 24,
    botThreads: major >= 24,
    askFeatures: major >= 25,
  };
}
