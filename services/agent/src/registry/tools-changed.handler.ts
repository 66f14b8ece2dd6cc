import { Controller } from '@nestjs/common';
import { ToolsChanged } from '@nuqloud/contracts';
import { OnEvent } from '@nuqloud/messaging';
import { ToolRegistry } from './tool-registry';

@Controller()
export class ToolsChangedHandler {
  constructor(private readonly registry: ToolRegistry) {}

  @OnEvent(ToolsChanged)
  async changed({ provider }: { provider: string }): Promise<void> {
    await this.registry.changed(provider);
  }
}
