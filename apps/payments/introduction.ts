/** From nobody to an organization. */
const beginning = (
  url: string,
): string => `Contas, cobranças por Pix, boleto e cartão, links de pagamento, saldo e webhooks. Esta página mostra cada rota e a experimenta: em **Authentication**, cole o
token de acesso uma vez, e cada **Test Request** já vai autenticado.

# Primeiros passos

Os comandos abaixo funcionam como estão, em qualquer terminal com \`curl\`.

## 1. Cadastre-se

\`\`\`sh
curl -s ${url}/v1/auth/register -H 'Content-Type: application/json' -d '{
  "name": "Ana Souza", "email": "ana@aurora.example",
  "password": "segredo-123", "password_confirmation": "segredo-123"
}'
\`\`\`

## 2. Entre

O token vale por uma hora; \`POST /v1/auth/refresh\` o troca por outro.

\`\`\`sh
TOKEN=$(curl -s ${url}/v1/auth/login -H 'Content-Type: application/json' -d '{
  "email": "ana@aurora.example", "password": "segredo-123"
}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
\`\`\`

## 3. Crie uma organização

Ela nasce com uma conta no banco. Quem tem várias diz em qual age com o cabeçalho \`X-Organization-Id\` (o UUID) ou
\`X-Account-Id\` (o número da conta); sem ele, vale a mais recente.

\`\`\`sh
curl -s ${url}/v1/organizations -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "name": "Escola Aurora", "email": "financeiro@aurora.example", "document": "11.222.333/0001-81"
}'
\`\`\`

`

const charging = (url: string): string => `## 4. Emita a primeira cobrança

A resposta traz o código Pix em \`data.pix.qrcode\`: qualquer aplicativo de banco o lê.

\`\`\`sh
curl -s ${url}/invoices -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: pedido-17' -d '{
  "value": 150.50, "payment_method": "PIX", "due_date": "2099-12-31", "description": "Mensalidade",
  "name": "Maria da Silva", "document": "123.456.789-09", "email": "maria@example.com"
}' | tee cobranca.json
\`\`\`

## 5. Receba

Fora de produção o banco embutido paga o que se pede a ele; o saldo já mostra o valor.

\`\`\`sh
TXID=$(sed 's/.*"txid":"\\([^"]*\\)".*/\\1/' cobranca.json)
curl -s ${url}/fake-bank/payments -H 'Content-Type: application/json' -d '{"txid": "'"$TXID"'"}'
curl -s ${url}/consolidation/balance -H "Authorization: Bearer $TOKEN"
\`\`\`

`

const withdrawing = (url: string): string => `## 6. Saque

O dinheiro só sai de uma organização \`ACTIVE\`, e com o PIN da conta. \`POST /recipients\` consulta a chave e começa o saque;
\`POST /api/pix/withdraw\` o paga.

\`\`\`sh
AUTH="Authorization: Bearer $TOKEN"
JSON='Content-Type: application/json'
ESCOLA=$(curl -s ${url}/v1/organizations -H "$AUTH" | sed 's/.*"organizations":.{"id":\\([0-9]*\\).*/\\1/')
curl -s -X PUT ${url}/v1/organizations/$ESCOLA -H "$AUTH" -H "$JSON" -d '{"status": "ACTIVE"}'
curl -s ${url}/access/account/pin -H "$AUTH" -H "$JSON" -d '{"pin": "135790", "confirm_pin": "135790"}'
SAQUE=$(curl -s ${url}/recipients -H "$AUTH" -H "$JSON" -d '{
  "keypix": "fornecedor@example.com", "value": 100
}' | sed 's/.*"internal_id":\\([0-9]*\\).*/\\1/')
curl -s ${url}/api/pix/withdraw -H "$AUTH" -H "$JSON" -d '{
  "internal_id": '"$SAQUE"', "keypix": "fornecedor@example.com", "value": 100, "pin": "135790"
}'
curl -s ${url}/consolidation/balance -H "$AUTH"
\`\`\`

`

/** What holds for every route. */
const GROUND_RULES = `# Webhooks

Uma cobrança com \`webhook\` (uma URL sua) avisa do que acontece com ela: os eventos estão em **Webhooks**, no fim desta
página. Cada aviso é assinado como pede a [Standard Webhooks](https://www.standardwebhooks.com): confira-o com o
\`webhook_secret\` da conta (\`GET /access/account\`) e uma biblioteca de sua linguagem, antes de acreditar nele.

\`\`\`js
import { Webhook } from 'standardwebhooks'

// O corpo como chegou, em texto, e os cabeçalhos webhook-id, webhook-timestamp e webhook-signature.
const event = new Webhook(webhookSecret).verify(body, headers)
\`\`\`

Endereços privados (\`localhost\`, \`10.0.0.5\`) só são chamados se o servidor roda com \`WEBHOOKS_ALLOW_PRIVATE=true\`; sem isso,
\`GET /access/webhook-notifications\` mostra a recusa em \`response.error\`.

Responda 2xx em até 15 segundos; o corpo da resposta não importa. Qualquer outra resposta é tentada de novo por três dias, com o mesmo \`webhook-id\`: guarde-o e
ignore o que já teve.

A ordem de chegada não é garantida: \`charge.paid\` pode chegar antes de \`charge.created\`. Ordene os avisos de uma mesma cobrança
pelo \`timestamp\` do corpo: dois deles nunca são iguais, e o do que aconteceu depois é sempre maior. Um aviso com \`timestamp\`
menor que o do último que você aplicou já não muda nada.

# Erros

Todo erro traz \`message\`, para pessoas, e \`error_code\`, para programas: as palavras de \`error_code\` não mudam. Um 422 traz
todos os campos errados de uma vez, em \`errors\` (mensagens) e \`error_codes\` (códigos), pelo caminho do campo (\`smtp.port\`).

| status | quando |
|---|---|
| 202 | o banco ainda não respondeu: o que houve aparece no registro e em um webhook, e o valor fica reservado até lá |
| 400 | o corpo não é JSON |
| 401 | sem token, ou com um que não vale mais |
| 403 | o papel de quem pede não permite, ou a organização não está ativa: a que está \`INACTIVE\` é ativada por \`PUT /v1/organizations/{id}\` com \`status\` \`ACTIVE\` |
| 404 | não existe, ou é de outra conta |
| 409 | a primeira requisição com esta chave ainda está em andamento, ou parou no meio: repita, por até 2 minutos |
| 413 | o corpo é grande demais |
| 415 | o \`Content-Type\` não é o que a rota lê, em geral \`application/json\` |
| 422 | campos errados |
| 429, 503 | espere pelo que diz \`Retry-After\` |

Campos do corpo que a rota não conhece são ignorados. Fora de produção, a resposta de quem escreve os nomeia no cabeçalho
\`X-Ignored-Fields\`: um \`web_hook\` não se perde em silêncio. Um erro traz às vezes \`hint\`: o que fazer a respeito.

Cada resposta traz \`X-Request-Id\`: cite-o quando pedir ajuda.

# Repetir sem medo

Todo POST que cria ou move algo aceita \`Idempotency-Key\` (1 a 255 caracteres, à sua escolha). A mesma chave com o mesmo corpo
devolve, por 24 horas, a primeira resposta, com \`Idempotent-Replayed: true\`; com outro corpo é 422. Em dúvida se um pedido
chegou, repita-o com a mesma chave.

# Páginas

Listas aceitam \`page\` (a partir de 1) e \`per_page\`, e respondem com \`meta\`: \`current_page\`, \`per_page\`, \`total\` e
\`last_page\`. Valores são em reais, com até duas casas; dias são de São Paulo, em \`AAAA-MM-DD\`.
`

/**
 * What the documentation begins with, in Markdown: from nothing to a charge that is paid and a withdrawal, by commands that work at a
 * terminal as they stand, and what holds for every route.
 */
export const introductionOf = (url: string): string =>
  `${beginning(url)}${charging(url)}${withdrawing(url)}${GROUND_RULES}`
