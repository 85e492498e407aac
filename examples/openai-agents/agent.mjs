// An agent of the OpenAI Agents SDK that reports to people in a .figs folder. A stub takes the place of the model.
import { load, work } from "../figs.mjs";

const { tools, plan, done } = work(process.argv[2] ?? ".", "OpenAI Agents SDK");
const sdk = await load("@openai/agents", import("@openai/agents"));

// The stub asks for one tool per turn, then says that it is done.
class StubModel {
  turn = 0;

  async getResponse() {
    const name = plan[this.turn++];
    const output = name
      ? { type: "function_call", callId: `call-${this.turn}`, name, arguments: "{}", status: "completed" }
      : { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: done }] };
    return { usage: new sdk.Usage(), output: [output] };
  }

  async *getStreamedResponse() {
    throw new Error("The stub doesn't stream.");
  }
}

if (sdk) {
  sdk.setTracingDisabled(true);
  const agent = new sdk.Agent({
    name: "Bookkeeper",
    model: new StubModel(),
    tools: Object.entries(tools).map(([name, t]) =>
      sdk.tool({ name, description: t.description, parameters: { type: "object", properties: {}, required: [], additionalProperties: false }, execute: async () => t.run() })),
  });
  const result = await sdk.run(agent, "Close November.");
  console.log(result.finalOutput);
} else {
  for (const name of plan) tools[name].run();
  console.log(done);
}
