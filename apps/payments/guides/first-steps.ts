/** Returns the first guide: the API at `url`, and the shell functions that the commands of all guides use. */
export const gettingStarted = (url: string): string => `# Comece aqui

A API emite cobranças por Pix, boleto e cartão, recebe os pagamentos, mantém o saldo da conta e avisa o seu sistema por
webhooks. Os guias vêm primeiro, na ordem de uma integração; depois vêm todas as rotas. Para experimentar uma rota nesta
página, cole um token de acesso em **Authentication** e use **Test Request**.

Os comandos dos guias usam \`curl\` e funcionam na ordem em que aparecem, em um servidor de desenvolvimento. Comece por
estes dois:

\`\`\`sh
API=${url}
campo() { grep -o '"'"$1"'":"[^"]*"' | head -n 1 | cut -d '"' -f 4; }
\`\`\`

\`API\` é o endereço deste servidor. \`campo\` extrai um texto de uma resposta em JSON; no seu programa, use o leitor de JSON
da linguagem. As respostas mostradas estão abreviadas.

Em JavaScript e TypeScript, o cliente \`portico/client\` já faz o que estes guias descrevem: renova tokens, envia chaves de
idempotência, repete, percorre páginas e verifica webhooks.

Em toda a API:

- Corpos e respostas são JSON em UTF-8.
- Valores são em reais, com até duas casas decimais: \`150.5\`.
- Dias são os de São Paulo, no formato \`AAAA-MM-DD\`. Instantes seguem a ISO 8601, com fuso.
- CPF e CNPJ são aceitos com ou sem pontuação, e voltam sem pontuação.
- Cada resposta traz o cabeçalho \`X-Request-Id\`. Informe-o ao pedir suporte.
`

/** The guide to accounts, tokens and API keys. */
export const AUTHENTICATION = `# Como se autenticar

Toda rota que não é pública exige um token no cabeçalho \`Authorization: Bearer TOKEN\`. Há dois modos de obter um:

| quem chama | troca | por um token que vale |
|---|---|---|
| uma pessoa | e-mail e senha, em \`POST /v1/auth/login\` | 1 hora, renovável |
| um programa | a chave de API da conta, em \`POST /access/account/get-token\` | 10 minutos; depois, a chave é trocada de novo |

## 1. Cadastre-se

A resposta do cadastro já traz um token.

\`\`\`sh
TOKEN=$(curl -s "$API/v1/auth/register" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Ana Souza", "email": "ana@aurora.example",
  "password": "segredo-123",
  "password_confirmation": "segredo-123"
}' | campo access_token)
\`\`\`

## 2. Crie uma organização

Cada organização tem uma conta no banco, com saldo, chave de API e segredo de webhooks.

\`\`\`sh
curl -s "$API/v1/organizations" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Escola Aurora", "document": "11.222.333/0001-81"
}'
\`\`\`

\`\`\`json
{
  "code": 201, "success": true,
  "organization": {
    "name": "Escola Aurora", "document": "11222333000181",
    "status": "INACTIVE"
  },
  "message": "Organização criada com sucesso."
}
\`\`\`

Uma organização \`INACTIVE\` já emite cobranças e recebe. Para sacar, ela precisa estar \`ACTIVE\`: mude o \`status\` com
\`PUT /v1/organizations/{id}\`.

As rotas agem na organização mais recente de quem chama. Para agir em outra, envie \`X-Organization-Id\` (o UUID) ou
\`X-Account-Id\` (o número da conta).

## 3. Entre e renove o token

\`\`\`sh
TOKEN=$(curl -s "$API/v1/auth/login" \\
  -H 'Content-Type: application/json' -d '{
  "email": "ana@aurora.example", "password": "segredo-123"
}' | campo access_token)

TOKEN=$(curl -s -X POST "$API/v1/auth/refresh" \\
  -H "Authorization: Bearer $TOKEN" | campo access_token)
\`\`\`

O token vale por 1 hora. Até 14 dias depois de emitido, mesmo vencido, ele pode ser trocado uma vez por um novo; a troca
encerra o antigo, e trocar o antigo outra vez encerra a sessão. Quando uma rota responder 401 com \`token.invalid\`, renove o
token e repita a requisição; se a renovação também responder 401, entre de novo.

## 4. Dê acesso ao seu programa

Um programa não deve guardar a senha de uma pessoa. Crie para ele um usuário de API, que emite cobranças, lê extratos e
saca com o PIN, mas não altera a conta. Ele obtém um token com o e-mail dele e a chave de API da conta, o campo \`token\` de
\`GET /access/account\`, que só administradores veem.

\`\`\`sh
curl -s "$API/access/manager/api-tokens" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Loja virtual", "email": "loja@aurora.example",
  "document": "529.982.247-25"
}'
\`\`\`

\`\`\`json
{
  "code": 201, "success": true,
  "data": { "user": { "name": "Loja virtual" }, "role": { "name": "API" } },
  "message": "Usuário API criado com sucesso!"
}
\`\`\`

\`\`\`sh
CHAVE=$(curl -s "$API/access/account" \\
  -H "Authorization: Bearer $TOKEN" | campo token)

curl -s "$API/access/account/get-token" \\
  -H 'Content-Type: application/json' -d '{
  "email": "loja@aurora.example", "token": "'"$CHAVE"'"
}'
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "data": { "token_type": "Bearer" },
  "message": "Token gerado com sucesso."
}
\`\`\`

O token está em \`data.token\` e vale por 10 minutos, até \`data.expires_at\`. Ele não é renovado: troque a chave outra vez.
Cada troca é notificada aos administradores da conta. Guarde a chave como uma senha: fora do código e do repositório.

## 5. Ou crie uma chave com nome

Uma chave de \`POST /v1/api-keys\` dispensa a troca: o programa a envia no lugar do token. Ela tem nome, permissões,
validade e, se quiser, os endereços e redes de onde pode ser usada. Ela dura mais do que a sessão: criar, alterar ou
substituir uma, e trocar a da conta, pede a senha dos últimos dez minutos.

\`\`\`sh
curl -s -o /dev/null "$API/v1/auth/confirm-password" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{ "password": "segredo-123" }'

CHAVE=$(curl -s "$API/v1/api-keys" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Loja virtual",
  "permissions": ["charges:read", "charges:write"],
  "addresses": ["127.0.0.1", "::1", "203.0.113.0/24"]
}' | campo key)

curl -s "$API/v1/account/access" \\
  -H "Authorization: Bearer $CHAVE"
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "access": {
    "permissions": ["charges:read", "charges:write"]
  },
  "message": "Acesso obtido com sucesso."
}
\`\`\`

- A chave só aparece na resposta que a cria. Ela começa por "portico_live_" em produção e por "portico_test_" nos outros
  ambientes; depois vêm 36 caracteres aleatórios e o CRC-32 deles em base 62: 6 algarismos de 0 a 9, A a Z e a a z.
- Ela nunca permite mais do que o perfil de quem a criou, nem administrar a conta, a equipe ou outras chaves. Se quem a
  criou deixa a conta, a chave deixa de valer.
- Uma chave certa é recusada com 401 e \`api-key.revoked\`, \`api-key.expired\` ou \`api-key.address\`; uma errada, com
  \`token.invalid\`.
- \`POST /v1/api-keys/{id}/rotate\` cria a sucessora. A anterior ainda vale por \`expires_in\` segundos: 86400 (24 horas)
  se nada for enviado, no máximo 604800 (7 dias).
- \`DELETE /v1/api-keys/{id}\` a revoga, a partir da requisição seguinte. Uma conta tem no máximo 100 chaves em uso.

## Qual das três gerações de rotas usar

As rotas vêm de três gerações da API. Todas agem sobre os mesmos usuários, contas, clientes e cobranças, e um token serve
em todas: o que uma cria, as outras mostram.

| geração | rotas | use para |
|---|---|---|
| oficial | \`/v1/…\` | cadastro, entrada, organizações, usuários e clientes |
| por módulo | \`/invoices\`, \`/billing/…\`, \`/consolidation/…\`, \`/recipients\`, \`/access/…\` | o que a oficial não tem: cobranças, links, extratos, saques e webhooks |
| pagamento instantâneo | \`/legacypay/…\` | nada novo: emita com \`POST /invoices\`, saque com \`POST /recipients\` |

Onde duas rotas fazem o mesmo, prefira a oficial. Uma rota obsoleta responde com o cabeçalho \`Deprecation: true\` e, se outra
a substitui, com o endereço dela em \`Link\`.
`

/** The guide to a charge, from its issue to its payment. */
export const FIRST_CHARGE = `# A primeira cobrança

## 1. Emita

\`\`\`sh
curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: pedido-17' -d '{
  "value": 150.50, "payment_method": "PIX",
  "due_date": "2099-12-31", "description": "Mensalidade",
  "name": "Maria da Silva", "email": "maria@example.com",
  "document": "123.456.789-09"
}' | tee cobranca.json
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "data": {
    "value": 150.5, "amount_paid": null,
    "status": { "id": 1, "title": "pending", "description": "Pendente" },
    "payment_method": "PIX", "due_date": "2099-12-31",
    "client": { "name": "Maria da Silva", "document": "12345678909" },
    "pix": { "status": "pending" },
    "boleto": null
  },
  "message": "Cobrança criada com sucesso!"
}
\`\`\`

- \`data.pix.qrcode\` é o Pix copia e cola: mostre-o ao pagador, como texto ou QR code.
- \`data.url\` é uma página pronta em que o pagador vê e paga a cobrança.
- \`data.code\` identifica a cobrança. Guarde-o com o pedido.

Em \`payment_method\`, \`BOLETO\` emite um boleto, \`BOLEPIX\` um boleto que também pode ser pago por Pix, e \`CREDIT_CARD\` cobra
na hora o cartão do campo \`card\`, com o endereço do pagador em \`address\`. Para cobrar sem programar uma tela, crie um link com
\`POST /billing/payment-links\`.

## 2. Pague

Fora de produção, o banco simulado faz o papel do banco do pagador.

\`\`\`sh
TXID=$(campo txid < cobranca.json)
curl -s "$API/fake-bank/payments" \\
  -H 'Content-Type: application/json' \\
  -d '{ "txid": "'"$TXID"'" }'
\`\`\`

\`\`\`json
{ "status": "confirmed" }
\`\`\`

## 3. Confira

\`\`\`sh
CODIGO=$(campo code < cobranca.json)
curl -s "$API/invoices/$CODIGO" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "data": {
    "value": 150.5, "amount_paid": 150.5,
    "status": { "id": 2, "title": "paid", "description": "Pago" }
  }
}
\`\`\`

\`\`\`sh
curl -s "$API/consolidation/balance" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{ "balance": 150.5 }
\`\`\`

Não consulte a cobrança em intervalos para saber se foi paga: receba o webhook \`charge.paid\`.
`

/** The guide to a withdrawal, from the look-up of its key to the PIN. */
export const FIRST_WITHDRAWAL = `# O primeiro saque

## 1. Prepare a conta

O dinheiro só sai de uma organização ativa, e cada saque pede o PIN da conta.

\`\`\`sh
numero() { grep -o '"'"$1"'":[0-9]*' | head -n 1 | cut -d : -f 2; }

ORGANIZACAO=$(curl -s "$API/v1/organizations" \\
  -H "Authorization: Bearer $TOKEN" | numero id)
curl -s -o /dev/null -X PUT "$API/v1/organizations/$ORGANIZACAO" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "status": "ACTIVE" }'
curl -s -o /dev/null "$API/access/account/pin" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "pin": "135790", "confirm_pin": "135790" }'
\`\`\`

## 2. Consulte a chave

A consulta mostra de quem é a chave e inicia o saque; o dinheiro ainda não sai. Confira o nome com quem pediu o saque.

\`\`\`sh
curl -s "$API/recipients" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "keypix": "fornecedor@example.com", "value": 50
}' | tee saque.json
\`\`\`

\`\`\`json
{
  "success": true,
  "data": {
    "valor": 50,
    "pagador": { "nome": "Escola Aurora" },
    "internal_id": 1
  },
  "message": "Chave Pix consultada com sucesso."
}
\`\`\`

\`recebedor\` traz o nome, o documento mascarado e o banco de quem receberá.

## 3. Confirme com o PIN

\`\`\`sh
SAQUE=$(numero internal_id < saque.json)
curl -s "$API/api/pix/withdraw" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: saque-17' -d '{
  "internal_id": '"$SAQUE"', "value": 50, "pin": "135790",
  "keypix": "fornecedor@example.com"
}'
\`\`\`

\`\`\`json
{
  "success": true,
  "data": { "value": 50 },
  "message": "Transferência Pix realizada com sucesso"
}
\`\`\`

Com status 202, o banco ainda não respondeu: o valor fica reservado, e o resultado chega depois, no registro e por webhook.
Nunca inicie um segundo saque por isso; repita o pedido com a mesma chave de idempotência.
`
