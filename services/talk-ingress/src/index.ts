export { startTalkIngress } from './start';
export type { RunningTalkIngress, TalkIngressOptions } from './start';
export { TalkIngressConfig } from './talk-ingress.config';
