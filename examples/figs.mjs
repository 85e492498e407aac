// Writes a .figs folder by the protocol: one line of JSON per step, appended and never changed.
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

export class Figs {
  constructor(dir, charter) {
    this.dir = join(dir, ".figs");
    mkdirSync(join(this.dir, "artifacts"), { recursive: true });
    const config = join(this.dir, "config.json");
    if (!existsSync(config)) writeFileSync(config, JSON.stringify({ agentId: randomUUID() }) + "\n");
    writeFileSync(join(this.dir, "agent.json"), JSON.stringify(charter, null, 2) + "\n");
  }

  // run adds a line to a job: the first starts it, one with state "settled" ends it.
  run(line) {
    this.append("runs.jsonl", line);
  }

  // ask adds a line to an ask: a question or a sign-off for a person.
  ask(line) {
    this.append("asks.jsonl", line);
  }

  // attach stores a file that lines can name in their attachments.
  attach(name, text) {
    writeFileSync(join(this.dir, "artifacts", name), text);
    return name;
  }

  append(file, line) {
    const ts = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    appendFileSync(join(this.dir, file), JSON.stringify({ ts, ...line }) + "\n");
  }
}

// load gives a framework, or null where it isn't installed.
export async function load(name, framework) {
  try {
    return await framework;
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    console.log(`${name} isn't installed: the stub calls the tools itself. npm install adds it.`);
    return null;
  }
}

// work is what the agent of each example does: two tools, and what the stub model calls, in order. No network, no key.
export function work(dir, name) {
  const job = "close-november";
  const figs = new Figs(dir, {
    name, role: "Bookkeeper", status: "active", runtime: name, cadence: "monthly",
    mandate: "Matches invoices with payments, and asks before a statement is sent.",
    steps: ["Match invoices with payments.", "Ask for approval of the statement.", "Send it once it is approved."],
  });
  figs.run({ id: job, title: "Close November", state: "in-flight", result: "Matching invoices" });
  const tools = {
    match_invoices: {
      description: "Matches invoices with payments.",
      run: () => {
        const file = figs.attach("statement.md", "# November\n\n| invoice | amount |\n|---|---|\n| 1001 | 1,150 € |\n| 1002 | 80 € |\n");
        figs.run({ id: job, state: "in-flight", result: "2 of 2 invoices matched", attachments: [file] });
        return "2 of 2 invoices match.";
      },
    },
    ask_for_approval: {
      description: "Asks a person to approve the statement.",
      run: () => {
        figs.ask({
          id: "send-november", type: "sign-off", status: "open", title: "Send the November statement", need: "Approve the statement as attached.",
          found: "All invoices match.", onApprove: ["Email the statement to the customer"], run: job, to: "manager", attachments: ["statement.md"],
        });
        figs.run({ id: job, state: "settled", status: "ok", result: "Statement ready, waiting for approval" });
        return "The ask is raised. Stop here until a person has decided.";
      },
    },
  };
  return { tools, plan: Object.keys(tools), done: "The statement waits for approval." };
}
