// The certified OpenID Provider of npm, oidc-provider, for the test of signing in. It listens on a free port of
// 127.0.0.1 and prints its issuer. Each line of standard input is a JSON object with what changes, and is answered with a
// line: {"origin": URL} of the server that people sign in to, {"people": {sub: claims}}, {"clockAhead": seconds},
// {"rotate": true} for a new key and no session, {"down": "/token"} for the paths that fail from now on, "" for none.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [modules, secret] = process.argv.slice(2);
const find = createRequire(pathToFileURL(modules + "/"));
console.warn = console.info = () => {}; // about its runtime and its defaults
const { Provider } = await import(pathToFileURL(find.resolve("oidc-provider")).href);

let people = {}, ahead = 0, down = "", origin = "http://127.0.0.1", provider, answer;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...of) { of.length ? super(...of) : super(RealDate.now() + ahead); }
  static now() { return RealDate.now() + ahead; }
};

const server = createServer((request, response) => {
  response.setHeader("Date", new Date().toUTCString());
  if (down && request.url.startsWith(down)) {
    response.writeHead(503).end("down");
  } else if (request.url === "/favicon.ico") {
    response.writeHead(204).end();
  } else if (request.url.startsWith("/interaction/")) {
    interact(request, response).catch(fault => response.writeHead(500).end(fault.message));
  } else {
    answer(request, response);
  }
});

// interact asks who it is, and believes it of those whom the provider knows.
async function interact(request, response) {
  let body = "";
  for await (const piece of request) body += piece;
  const accountId = new URLSearchParams(body).get("login");
  if (people[accountId]) {
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end("<!doctype html><meta name=viewport content='width=device-width'><title>Provider</title><h1>Acme Login</h1>" +
    (accountId === null ? "" : "<p>The provider knows nobody of this name.</p>") +
    "<form method=post><input name=login aria-label=Name autofocus><button>Sign in</button></form>");
}

function key() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
}

// open makes the provider, with a new key. Whoever was signed in there has to sign in again.
function open(issuer) {
  provider = new Provider(issuer, {
    clients: [{
      client_id: "figs-web", client_secret: secret,
      redirect_uris: [origin + "/sign-in/oidc/callback"], post_logout_redirect_uris: [origin + "/"],
    }],
    jwks: { keys: [key()] },
    cookies: { keys: ["a test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { logoutSource: (context, form) => {
        context.body = "<!doctype html><title>Provider</title>" + form + "<button name=logout value=yes form=op.logoutForm>Sign out</button>";
      } },
    },
    interactions: { url: (_, interaction) => "/interaction/" + interaction.uid },
    ttl: { IdToken: 60, Interaction: 3600, Session: 86400, Grant: 86400, AccessToken: 60 },
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
    origin = change.origin ?? origin;
    if (change.rotate || change.origin) open(issuer);
    console.log("ok");
  }).on("close", () => process.exit());
  console.log(issuer);
});
