import { DECLINED_CARD, PENDING_CARD } from '../../../adapters/bank/fake/acquirer.ts'
import { type FAULT_MODES, OPERATIONS } from '../../../adapters/bank/fake/books.ts'

/** The effect of each way to fail. */
const FAULTS: Readonly<Record<(typeof FAULT_MODES)[number], string>> = {
  refuse: 'o banco recusa',
  unavailable: 'o banco não atende',
  timeout: 'o banco faz e não responde',
  timeout_lost: 'o banco não faz e não responde',
}

/** The guide to the test cards and the simulated bank. */
export const TESTING = `# Cartões de teste e banco simulado

Fora de produção, um banco simulado roda dentro do servidor: nenhum dinheiro se move, e tudo o que um banco faria é pedido
em \`/fake-bank/…\`, sem token. Em produção, estas rotas não existem.

## Cartões

Qualquer número válido é aprovado, menos dois. Use qualquer validade futura e três dígitos de segurança.

| número | resultado |
|---|---|
| \`4111111111111111\`, \`5555555555554444\` | aprovado |
| \`${DECLINED_CARD}\` | recusado: 400 com \`card.declined\` |
| \`${PENDING_CARD}\` | pendente, até que você decida |

\`\`\`sh
curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "value": 80, "payment_method": "CREDIT_CARD",
  "due_date": "2099-12-31", "name": "Maria da Silva",
  "email": "maria@example.com", "document": "123.456.789-09",
  "address": {
    "street": "Rua das Flores", "number": "100",
    "district": "Centro", "city": "São Paulo",
    "state": "SP", "zipcode": "01310-100"
  },
  "card": {
    "card_number": "${PENDING_CARD}", "cvv": "123",
    "cardholder_name": "MARIA DA SILVA",
    "expiry_month": 12, "expiry_year": 2035
  }
}' | tee cartao.json
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "data": { "payment_method": "CREDIT_CARD", "status": { "title": "pending" } }
}
\`\`\`

\`\`\`sh
CODIGO=$(campo code < cartao.json)
curl -s "$API/fake-bank/cards" \\
  -H 'Content-Type: application/json' \\
  -d '{ "code": "'"$CODIGO"'", "outcome": "approve" }'

curl -s "$API/invoices/$CODIGO" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{ "data": { "status": { "title": "paid" } } }
\`\`\`

Depois de alguns cartões recusados em uma hora, as tentativas seguintes são 429 com \`card.throttled\`, também aqui.

## O que o banco simulado faz

| rota | efeito |
|---|---|
| \`POST /fake-bank/payments\` | paga um Pix ou boleto: por \`txid\`, pelo copia e cola ou pela linha digitável; com \`value\`, paga outro valor |
| \`POST /fake-bank/cancellations\` | cancela um título em aberto |
| \`POST /fake-bank/cards\` | decide um cartão pendente: \`approve\` ou \`decline\` |
| \`POST /fake-bank/faults\` | faz falhar as próximas operações |
| \`GET /fake-bank/payouts\` | mostra o que o banco pagou |
| \`PUT /fake-bank/accounts/{id}\` | define tarifas e limites de uma conta |

## Provoque falhas

Antes de ir para produção, veja o que o seu sistema faz quando o banco falha. Este comando faz o banco recusar o próximo
Pix:

\`\`\`sh
curl -s "$API/fake-bank/faults" \\
  -H 'Content-Type: application/json' \\
  -d '{ "operation": "create_pix", "mode": "refuse", "times": 1 }'

curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "value": 30, "payment_method": "PIX",
  "due_date": "2099-12-31", "name": "Maria da Silva",
  "email": "maria@example.com", "document": "123.456.789-09"
}'
\`\`\`

\`\`\`json
{ "code": 400, "success": false, "error_code": "bank.refused" }
\`\`\`

- Operações: ${OPERATIONS.map((operation) => `\`${operation}\``).join(', ')}.
- Modos: ${Object.entries(FAULTS)
  .map(([mode, effect]) => `\`${mode}\` (${effect})`)
  .join(', ')}.
`

/** The guide to production: the checks of an integration, the settings of the server, the bank. */
export const PRODUCTION = `# Ir para produção

## Na sua integração

- Guarde a chave de API e o segredo de webhooks em um cofre ou em variáveis do servidor, nunca no navegador ou no aplicativo.
- Envie \`Idempotency-Key\` em cada POST e repita depois de quedas de conexão, 429 e 503.
- Verifique a assinatura de cada webhook, descarte repetições por \`webhook-id\` e ordene por \`timestamp\`.
- Trate 202 como "ainda sem resposta", e não como sucesso.
- Registre o \`X-Request-Id\` das respostas com erro.
- Para sacar, defina o PIN da conta com \`POST /access/account/pin\` e ative a organização.
- Não dependa de \`/fake-bank/…\`, que não existe em produção, nem de \`X-Ignored-Fields\`, que nela só aparece com \`STRICT_HINTS\`.

## No servidor

Quando \`NODE_ENV\` é \`production\`, o servidor não inicia sem os segredos.

| variável | em produção |
|---|---|
| \`NODE_ENV\` | \`production\` |
| \`JWT_SECRET\` | assina os tokens: ao menos 32 bytes, de \`openssl rand -base64 32\` |
| \`DATA_KEY\` | cifra os segredos guardados: 32 bytes em base64. Guarde uma cópia longe do banco de dados: sem ela, ele não abre |
| \`PUBLIC_URL\` | o endereço https em que os pagadores chegam |
| \`STORE_URL\`, \`DATA_DIR\` | onde ficam os dados: SQLite em um volume com cópias, ou MongoDB |
| \`SMTP_URL\`, \`MAIL_FROM\` | o servidor de e-mail e o remetente; sem eles, os e-mails ficam em arquivos |
| \`TRUST_PROXY\` | \`true\`, se há um proxy na frente |
| \`WEBHOOKS_ALLOW_PRIVATE\` | deixe sem valor: endereços privados não são chamados |
| \`BANK\` | o banco; o padrão, \`fake\`, não move dinheiro |

Cada segredo pode vir de um arquivo: \`JWT_SECRET_FILE\`, \`DATA_KEY_FILE\` e assim por diante.

\`\`\`sh
curl -s "$API/health"
\`\`\`

\`\`\`json
{ "status": "ok" }
\`\`\`

\`GET /health\` responde 503 enquanto os dados não podem ser lidos ou gravados.

## O banco

Com \`BANK=pix-api\`, o servidor usa a API Pix do Banco Central no banco da sua conta, com \`PIX_KEY\` e as variáveis
\`PIX_API_URL\`, \`PIX_API_TOKEN_URL\`, \`PIX_API_CLIENT_ID\`, \`PIX_API_CLIENT_SECRET\`, \`PIX_API_CERT\` e \`PIX_API_KEY\`. Esta API do
banco só conhece Pix e uma conta: boletos, cartões, saques e uma segunda organização respondem 422 com \`bank.unsupported\`.
Outro banco é um adaptador em código, descrito em \`adapters/README.md\` do repositório.
`
