import fc from 'fast-check';
import { requireSameAsSubject, subjectOf, subjectPattern } from './subject';

it('fills a pattern with what is a plain token, and refuses everything else', () => {
  expect(subjectOf('chat.in.{instance}.{room}', { instance: 'default', room: 'x7k2m9pq' })).toBe(
    'chat.in.default.x7k2m9pq',
  );
  fc.assert(
    fc.property(fc.string(), (room) => {
      const plain = /^[a-z0-9-]{1,40}$/.test(room);
      const fill = () => subjectOf('chat.in.{instance}.{room}', { instance: 'default', room });
      if (plain) expect(fill()).toBe(`chat.in.default.${room}`);
      else expect(fill).toThrow('must be 1 to 40');
    }),
  );
});

it('leaves what is not known open', () => {
  expect(subjectPattern('tools.exec.{provider}', {})).toBe('tools.exec.*');
  expect(subjectPattern('tools.exec.{provider}', { provider: 'files' })).toBe('tools.exec.files');
});

it('refuses a body that names another than its subject', () => {
  const check = (body: object) => () =>
    requireSameAsSubject('tools.changed.{provider}', 'tools.changed.files', body);
  expect(check({ provider: 'files' })).not.toThrow();
  expect(check({})).not.toThrow();
  expect(check({ provider: 'calendar' })).toThrow('is not that of its subject');
});
