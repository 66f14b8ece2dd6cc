import type { ModelAnswer } from './model-answer';
import { fails } from './model-answer';
import type { ModelServer, ReceivedRequest } from './model-server';
import { startModelServer } from './model-server';

/** One request that a script expects, and what it is answered. */
export interface ExpectedRequest {
  /** Throws, or returns false, when the request is not the expected one. Without it any request is. */
  when?: (request: ReceivedRequest) => void | boolean;
  answer: ModelAnswer | ((request: ReceivedRequest) => ModelAnswer);
}

/** Requests in the order in which they must come. */
export interface Script {
  expect(step: ExpectedRequest): this;
}

export interface ScriptedModel extends ModelServer, Script {
  /** Every request that kept the rules of the protocol, in order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * A script of its own for the requests that `belongs` accepts, so that rooms can be played at the same time.
   * What no such script accepts goes to the model's own.
   */
  script(name: string, belongs: (request: ReceivedRequest) => boolean): Script;
  /** @throws Error that names every unexpected request and every step that nobody asked for */
  verify(): void;
}

/** A strict model for tests: it answers what the script says to what the script expects, and 500 to anything else. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const requests: ReceivedRequest[] = [];
  const problems: string[] = [];
  const main = new OrderedScript('the script', () => true);
  const scripts: OrderedScript[] = [];

  const server = await startModelServer({
    modelId: 'scripted-test',
    answer: (request) => {
      requests.push(request);
      const script = scripts.find(({ belongs }) => belongs(request)) ?? main;
      const answer = script.play(request);
      if (typeof answer !== 'string') return answer;
      problems.push(`request ${requests.length}: ${answer}`);
      return unexpected(answer);
    },
    refused: (reason) => problems.push(`a request that an OpenAI endpoint refuses: ${reason}`),
  });

  const model: ScriptedModel = {
    ...server,
    requests,
    expect: (step) => {
      main.expect(step);
      return model;
    },
    script: (name, belongs) => {
      const script = new OrderedScript(name, belongs);
      scripts.push(script);
      return script;
    },
    verify: () => {
      const all = [...problems, ...[main, ...scripts].flatMap((script) => script.unused())];
      if (all.length > 0) throw new Error(`The model was not used as scripted:\n- ${all.join('\n- ')}`);
    },
  };
  return model;
}

class OrderedScript implements Script {
  private readonly steps: ExpectedRequest[] = [];
  private done = 0;

  constructor(
    private readonly name: string,
    readonly belongs: (request: ReceivedRequest) => boolean,
  ) {}

  expect(step: ExpectedRequest): this {
    this.steps.push(step);
    return this;
  }

  /** The answer of the next step, or what is wrong. A step that does not match stays the next one. */
  play(request: ReceivedRequest): ModelAnswer | string {
    const step = this.steps[this.done];
    if (step === undefined)
      return `${this.name} expects no more requests (${this.steps.length} were answered)`;
    try {
      if (step.when?.(request) === false) throw new Error('`when` returned false');
      const answer = typeof step.answer === 'function' ? step.answer(request) : step.answer;
      this.done += 1;
      return answer;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `not what step ${this.done + 1} of ${this.name} expects: ${reason}`;
    }
  }

  unused(): string[] {
    const left = this.steps.length - this.done;
    return left === 0 ? [] : [`${left} of ${this.steps.length} steps of ${this.name} were not asked for`];
  }
}

/** The header keeps OpenAI clients from asking again, so that a test fails at once. */
function unexpected(message: string): ModelAnswer {
  return fails(500, { code: 'unexpected_request', message, headers: { 'x-should-retry': 'false' } });
}
