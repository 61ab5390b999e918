import { Argument, type Command } from 'commander';
import { describeCommand } from '../help.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper completion bash`: a script for a shell, and the hidden command that it asks. */
export function defineCompletion(program: Command, choose: (run: Run) => void): void {
  describeCommand(
    program.command('completion'),
    'print a script with which a shell completes commands, flags and names',
    [
      ['completion bash >> ~/.bashrc', 'set up bash'],
      ['completion zsh >> ~/.zshrc', 'set up zsh'],
      ['completion fish > ~/.config/fish/completions/sidecar-sweeper.fish', 'set up fish'],
    ],
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') =>
      choose(async (surroundings) =>
        (await import('../runs/completion.ts')).printCompletion(shell, surroundings),
      ),
    );
  program
    .command(askedByShells, { hidden: true })
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action((words: readonly string[]) =>
      choose(async (surroundings) =>
        (await import('../runs/completion.ts')).printCompleted(words, program, surroundings),
      ),
    );
}

/** The name that cobra gave it, so that kubectl's completion of plugins understands the answer. */
export const askedByShells = '__complete';
