// What a program in TypeScript writes, for tsc: it is never run.

import { open, compare, EngineError, type AskDetail, type Report, type RuleCode } from '../index.js';

export async function show(path: string, files: AsyncIterable<{ path: string; stream: ReadableStream<Uint8Array> }>): Promise<void> {
  const folder = await open(path, { worker: true, onProgress: ({ read, total }) => console.log(read / total) });
  for (const agent of folder.agents) {
    for await (const ask of agent.asks({ state: 'needs' })) {
      if (ask.state.phase === 'needs_you') console.log(ask.title, ask.record?.['title']);
      const detail: AskDetail | null = await agent.ask(ask.id);
      console.log(detail?.thread.at(-1)?.remarks?.[0]?.quote);
    }
    const report: Report = await agent.findings();
    const code: RuleCode | undefined = report.findings[0]?.code;
    console.log(code, (await agent.jobs({ state: 'fail' }).page({ limit: 10 })).total, await agent.json('fold', { ledger: 'runs' }));
    // @ts-expect-error A state of asks is none of jobs.
    agent.jobs({ state: 'needs' });
  }
  folder.close();
  await open(files);
  await open([{ path: '.figs/runs.jsonl', data: '' }], { now: '' });
  const { rewritten, folders } = await compare(new URL('file:///older'), [new File([], 'runs.jsonl')]);
  console.log(rewritten, folders[0]?.lines[0]?.kind);
}

export const isOutdated = (error: unknown): boolean => error instanceof EngineError && error.code === 'version';
