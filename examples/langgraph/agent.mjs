// A LangGraph graph that reports to people in a .figs folder. A stub takes the place of the model.
import { load, work } from "../figs.mjs";

const { tools, plan, done } = work(process.argv[2] ?? ".", "LangGraph");
const graph = await load("@langchain/langgraph", import("@langchain/langgraph"));

if (graph) {
  const { Annotation, StateGraph, START, END } = graph;
  const State = Annotation.Root({
    next: Annotation(), // the tool that the model chose; "" ends
    turn: Annotation(),
    log: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
  });
  const app = new StateGraph(State)
    .addNode("model", (state) => ({ next: plan[state.turn ?? 0] ?? "", turn: (state.turn ?? 0) + 1 })) // the stub
    .addNode("tool", (state) => ({ log: [tools[state.next].run()] }))
    .addEdge(START, "model")
    .addConditionalEdges("model", (state) => (state.next ? "tool" : END), ["tool", END])
    .addEdge("tool", "model")
    .compile();
  const { log } = await app.invoke({});
  console.log(log.at(-1));
} else {
  for (const name of plan) tools[name].run();
  console.log(done);
}
