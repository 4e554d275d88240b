import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one line for any program: `N passed, N failed, N skipped`. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    )
    const count = (state: string): number => states.filter((each) => each === state).length
    // A file that can't be loaded runs no test, and has failed.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.children.size === 0,
    ).length
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`,
    )
  }
}
