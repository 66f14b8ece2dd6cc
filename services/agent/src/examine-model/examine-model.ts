import { Injectable } from '@nestjs/common';
import type { ExaminedModel, Problem, ToolDefinition } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { parseArguments } from '../domain/tool-batch';
import { Bots } from '../ports/bots';
import { Model } from '../ports/model';
import type { ModelAnswer } from '../ports/model';

/** Long enough for a small model on a slow machine to load. */
const PATIENCE_MS = 45_000;

const PROBE: ToolDefinition = {
  name: 'doctor_probe',
  description: 'Reports that tools work.',
  schema: {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word that was asked for' } },
    required: ['word'],
  },
};
const WORD = 'ready';
const QUESTION = `Call the tool ${PROBE.name} with the word "${WORD}". Write nothing else.`;

/** Asks each model that is in use to call a tool, because one that cannot is of no use here however well it talks. */
@Injectable()
export class ExamineModel {
  constructor(
    private readonly model: Model,
    private readonly bots: Bots,
  ) {}

  async examineAll(): Promise<ExaminedModel[]> {
    const names = [undefined, ...(await this.bots.models())];
    return Promise.all(
      names.map(async (model) => ({ model: model ?? null, problem: (await this.examine(model)) ?? null })),
    );
  }

  private async examine(model: string | undefined): Promise<Problem | undefined> {
    try {
      const answer = await this.model.answer(
        { model, temperature: undefined, messages: [{ role: 'user', content: QUESTION }], tools: [PROBE] },
        AbortSignal.timeout(PATIENCE_MS),
      );
      return problemOf(answer);
    } catch (error) {
      if (error instanceof AppError) return { code: error.code, message: error.message };
      throw error;
    }
  }
}

const problemOf = ({ toolCalls }: ModelAnswer): Problem | undefined => {
  const call = toolCalls.find(({ name }) => name === PROBE.name);
  if (!call) {
    return {
      code: 'MODEL.NO_TOOL_CALL',
      message:
        'The model answered in words where it was asked to call a tool. Choose one that supports tool calls, or switch them on at the endpoint.',
    };
  }
  const parsed = parseArguments(call.argumentsText);
  if ('arguments' in parsed && parsed.arguments['word'] === WORD) return undefined;
  return {
    code: 'MODEL.WRONG_ARGUMENTS',
    message:
      'The model called the tool with other arguments than it was asked for. Choose a more capable one.',
  };
};
