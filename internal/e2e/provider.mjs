// The certified OpenID Provider of npm, oidc-provider, for the test of signing in. It listens on a free port of
// 127.0.0.1 and prints its issuer. Each line of standard input is a JSON object with what changes:
// {"people": {sub: claims}, "clockAhead": seconds, "rotate": true, "down": true}; each is answered with a line "ok".
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [modules, origin, secret] = process.argv.slice(2);
const find = createRequire(pathToFileURL(modules + "/"));
console.warn = console.info = () => {}; // about its runtime and its pages for development
const { Provider } = await import(pathToFileURL(find.resolve("oidc-provider")).href);

let people = {}, ahead = 0, down = false, answer;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...of) { of.length ? super(...of) : super(RealDate.now() + ahead); }
  static now() { return RealDate.now() + ahead; }
};

const server = createServer((request, response) => {
  response.setHeader("Date", new Date().toUTCString());
  if (down) {
    response.writeHead(503).end("down");
  } else if (request.url === "/favicon.ico") {
    response.writeHead(204).end();
  } else {
    answer(request, response);
  }
});

function key() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
}

// open makes the provider, with a new key. Whoever was signed in there has to sign in again.
function open(issuer) {
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "figs-web", client_secret: secret,
      redirect_uris: [origin + "/sign-in/oidc/callback"], post_logout_redirect_uris: [origin + "/"],
    }],
    jwks: { keys: [key()] },
    cookies: { keys: ["a test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_, sub) => people[sub] && { accountId: sub, claims: () => ({ sub, ...people[sub] }) },
    // Nobody is asked for consent, as where an organization owns both.
    async loadExistingGrant(context) {
      const grant = new provider.Grant({ clientId: context.oidc.client.clientId, accountId: context.oidc.session.accountId });
      grant.addOIDCScope("openid email profile groups");
      await grant.save();
      return grant;
    },
  });
  answer = provider.callback();
}

server.listen(0, "127.0.0.1", () => {
  const issuer = "http://127.0.0.1:" + server.address().port;
  open(issuer);
  createInterface({ input: process.stdin }).on("line", line => {
    const change = JSON.parse(line);
    people = change.people ?? people;
    ahead = 1000 * (change.clockAhead ?? ahead / 1000);
    down = change.down ?? down;
    if (change.rotate) open(issuer);
    console.log("ok");
  }).on("close", () => process.exit());
  console.log(issuer);
});
