// An agent of the Vercel AI SDK that reports to people in a .figs folder. The SDK's own mock takes the place of the model.
import { load, work } from "../figs.mjs";

const { tools, plan, done } = work(process.argv[2] ?? ".", "AI SDK");
const sdk = await load("ai", import("ai"));

if (sdk) {
  const { MockLanguageModelV3 } = await import("ai/test");
  const usage = { inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 0, text: 0, reasoning: 0 } };
  let turn = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const toolName = plan[turn++];
      return toolName
        ? { content: [{ type: "tool-call", toolCallId: `call-${turn}`, toolName, input: "{}" }], finishReason: { unified: "tool-calls" }, usage, warnings: [] }
        : { content: [{ type: "text", text: done }], finishReason: { unified: "stop" }, usage, warnings: [] };
    },
  });
  const { text } = await sdk.generateText({
    model,
    prompt: "Close November.",
    stopWhen: sdk.stepCountIs(plan.length + 1),
    tools: Object.fromEntries(Object.entries(tools).map(([name, t]) =>
      [name, sdk.tool({ description: t.description, inputSchema: sdk.jsonSchema({ type: "object", properties: {} }), execute: async () => t.run() })])),
  });
  console.log(text);
} else {
  for (const name of plan) tools[name].run();
  console.log(done);
}
