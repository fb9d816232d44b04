import { RETRY_STEPS_SECONDS } from '../../../core/payments/webhooks/deliver.ts'
import { webhookEvents } from '../webhooks.ts'

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const secret = process.env.WEBHOOK_SECRET.replace('whsec_', '')
const key = Buffer.from(secret, 'base64')

function isAuthentic(headers, body) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= 300)) return false
  const signed = Buffer.concat([Buffer.from(id + '.' + timestamp + '.'), body])
  const hmac = createHmac('sha256', key).update(signed)
  const expected = Buffer.from('v1,' + hmac.digest('base64'))
  const signatures = headers['webhook-signature'] ?? ''
  return signatures.split(' ').some((text) => {
    const given = Buffer.from(text)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

async function receive(request, response) {
  const body = await buffer(request)
  if (!isAuthentic(request.headers, body)) {
    response.writeHead(401).end()
    return
  }
  const event = JSON.parse(body)
  console.log(request.headers['webhook-id'], event.type)
  response.writeHead(204).end()
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy())
}).listen(8080, '127.0.0.1')
`

const PYTHON = `import base64, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(
    os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_authentic(headers, body):
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or len(timestamp) > 12:
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    digest = hmac.digest(KEY, signed, "sha256")
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers.get("webhook-signature", "")
    return any(hmac.compare_digest(each.encode(), expected)
               for each in signatures.split(" "))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers.get("content-length", 0))
        body = self.rfile.read(size)
        authentic = is_authentic(self.headers, body)
        if authentic:
            event = json.loads(body)
            print(self.headers["webhook-id"], event["type"], flush=True)
        self.send_response(204 if authentic else 401)
        self.end_headers()

ThreadingHTTPServer(("127.0.0.1", 8080), Receiver).serve_forever()
`

const PHP = `<?php
function isAuthentic(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp)) return false;
    if (abs(time() - (int) $timestamp) > 300) return false;
    $secret = substr(getenv('WEBHOOK_SECRET'), strlen('whsec_'));
    $signed = "$id.$timestamp.$body";
    $hmac = hash_hmac('sha256', $signed, base64_decode($secret), true);
    $expected = 'v1,' . base64_encode($hmac);
    $signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($expected, $given)) return true;
    }
    return false;
}

$body = file_get_contents('php://input');
if (!isAuthentic($body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
error_log($_SERVER['HTTP_WEBHOOK_ID'] . ' ' . $event['type']);
http_response_code(204);
`

const stepOf = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`
}
const RETRIES = new Intl.ListFormat('pt-BR').format(RETRY_STEPS_SECONDS.map(stepOf))

/** The guide to webhooks, with a program that verifies them in each of three languages. */
export const WEBHOOKS = `# Receber webhooks

O servidor avisa o seu sistema do que acontece por um POST com JSON. Ele chama até três URLs, cada uma uma vez por evento:
\`webhook\` da cobrança, \`webhook_url\` do link de pagamento e \`webhook_url\` da conta (\`PUT /access/account\`).

O corpo tem \`type\` (o evento), \`timestamp\` (quando aconteceu) e \`data\` (o registro, como a API o mostra).

| evento | quando |
|---|---|
${webhookEvents.map(({ event, summary }) => `| \`${event}\` | ${summary} |`).join('\n')}

## 1. Obtenha o segredo

Cada aviso é assinado com o segredo da conta, como define a [Standard Webhooks](https://www.standardwebhooks.com). Só
administradores o veem.

\`\`\`sh
export WEBHOOK_SECRET=$(curl -s "$API/access/account" \\
  -H "Authorization: Bearer $TOKEN" | campo webhook_secret)
\`\`\`

## 2. Verifique a assinatura

Cada programa abaixo recebe avisos, verifica a assinatura e responde 204, ou 401 se ela não confere. Usa só a biblioteca padrão
da linguagem. No \`portico/client\`, a função é \`verifyWebhook\`. Três regras valem em qualquer linguagem:

- Assine o corpo como chegou, em bytes. Um JSON lido e escrito de novo tem outra assinatura.
- Compare em tempo constante.
- Recuse um \`webhook-timestamp\` a mais de 5 minutos do relógio, para que um aviso antigo não possa ser reenviado por outros.

### Node.js

Salve como \`receptor.mjs\` e inicie com \`node receptor.mjs\`.

\`\`\`js
${NODE}\`\`\`

### Python

Com Python 3.9 ou mais novo. Salve como \`receptor.py\` e inicie com \`python3 receptor.py\`.

\`\`\`python
${PYTHON}\`\`\`

### PHP

Salve como \`receptor.php\` e inicie com \`php -S 127.0.0.1:8080 receptor.php\`.

\`\`\`php
${PHP}\`\`\`

## 3. Receba o primeiro aviso

Inicie um dos programas no terminal em que definiu \`WEBHOOK_SECRET\`, com um \`&\` no fim do comando: assim o terminal continua
livre. O servidor só chama endereços privados, como \`127.0.0.1\`, se foi iniciado com \`WEBHOOKS_ALLOW_PRIVATE=true\`: use isso
só em desenvolvimento.

\`\`\`sh
curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "value": 20, "payment_method": "PIX",
  "due_date": "2099-12-31", "name": "Maria da Silva",
  "email": "maria@example.com", "document": "123.456.789-09",
  "webhook": "http://127.0.0.1:8080/webhooks"
}' > aviso.json

curl -s "$API/fake-bank/payments" \\
  -H 'Content-Type: application/json' \\
  -d '{ "txid": "'"$(campo txid < aviso.json)"'" }'
\`\`\`

O programa mostra dois avisos, em qualquer ordem: \`charge.created\` e \`charge.paid\`. As entregas ficam registradas, com a resposta do seu sistema:

\`\`\`sh
curl -s "$API/access/webhook-notifications?per_page=1" \\
  -H "Authorization: Bearer $TOKEN" | tee entregas.json
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "data": [
    {
      "url": "http://127.0.0.1:8080/webhooks",
      "status": "delivered", "attempts": 1,
      "response": { "status": 204, "error": null }
    }
  ],
  "meta": { "total": 2 }
}
\`\`\`

Se \`response.error\` diz \`private address\`, o servidor está sem \`WEBHOOKS_ALLOW_PRIVATE=true\`.

## Responda, repita, ordene

- **Responda** 2xx em até 15 segundos. Guarde o aviso e trabalhe depois: o conteúdo da resposta não importa.
- **Novas tentativas.** Qualquer outra resposta é tentada de novo depois de ${RETRIES}; um \`Retry-After\` mais longo é respeitado.
  Depois da última, ou de um 410, a entrega termina como \`failed\`. Redirecionamentos não são seguidos. Nada mais é enviado
  de uma organização removida.
- **Repetições.** Um aviso pode chegar mais de uma vez, sempre com o mesmo \`webhook-id\`. Guarde os que já tratou e ignore os
  repetidos.
- **Ordem.** A ordem de chegada não é garantida: \`charge.paid\` pode chegar antes de \`charge.created\`. Os avisos de uma cobrança
  têm \`timestamp\` diferentes e crescentes: guarde o do último que aplicou e ignore um aviso com \`timestamp\` menor.
- **Reenvio.** Uma entrega que terminou pode ser enviada de novo, com o mesmo \`webhook-id\`; uma que ainda está em andamento é 409
  com \`delivery.pending\`:

\`\`\`sh
ENTREGA=$(grep -o '"id":[0-9]*' entregas.json | head -n 1 | cut -d : -f 2)
curl -s -X POST -H "Authorization: Bearer $TOKEN" \\
  "$API/access/webhook-notifications/$ENTREGA/replay"
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "data": { "status": "pending", "attempts": 0 },
  "message": "Entrega de webhook reenviada com sucesso."
}
\`\`\`
`
