import { KEY_LEASE_SECONDS, KEY_LIFE_SECONDS, MAX_KEY_CHARS } from '../../../core/office/idempotency-keys.ts'

/** The guide to idempotency keys. */
export const IDEMPOTENCY = `# Idempotência

Se a conexão cai antes da resposta, não se sabe se a cobrança foi emitida. Para poder repetir, envie \`Idempotency-Key\` em
todo POST que cria ou move algo: um texto de 1 a ${MAX_KEY_CHARS} caracteres, único por operação. O número do pedido serve.

\`\`\`sh
for vez in 1 2; do
  curl -si "$API/v1/clients" \\
    -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' \\
    -H 'Idempotency-Key: cliente-8' -d '{
    "name": "Pedro Lima", "document": "111.444.777-35"
  }' | grep -E 'HTTP|Idempotent'
done
\`\`\`

\`\`\`text
HTTP/1.1 201 Created
HTTP/1.1 201 Created
Idempotent-Replayed: true
\`\`\`

A segunda resposta é a primeira, devolvida de novo; há um só cliente.

- A chave vale por ${KEY_LIFE_SECONDS / 3_600} horas, na conta e na rota em que foi usada.
- O mesmo corpo devolve a primeira resposta, com \`Idempotent-Replayed: true\`. Outro corpo é 422 com \`key.reused\`.
- Enquanto a primeira requisição está em andamento, a resposta é 409 com \`key.running\`: espere os segundos de \`Retry-After\` e
  repita. Se o servidor parou no meio dela, a chave fica livre em até ${KEY_LEASE_SECONDS / 60} minutos.
- Só uma resposta 2xx fica guardada. Depois de um erro, corrija o corpo e use a mesma chave.
- Rotas públicas, como o pagamento por link, ignoram a chave.

Repita com a mesma chave depois de uma queda de conexão e das respostas 409 com \`key.running\`, 429 e 503, com pausas cada vez
maiores. GET, PUT e DELETE podem ser repetidos sem chave.
`

/** The guide to failures and ignored fields. */
export const ERRORS = `# Erros

\`\`\`sh
curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "value": -1, "payment_method": "PIX",
  "due_date": "2099-12-31", "name": "Maria da Silva",
  "email": "maria", "document": "123.456.789-09"
}'
\`\`\`

\`\`\`json
{
  "code": 422, "success": false,
  "message": "Os dados fornecidos são inválidos.",
  "error_code": "fields",
  "errors": {
    "value": ["Deve ser no mínimo 0.01."],
    "email": ["Deve ser um e-mail válido."]
  },
  "error_codes": { "value": ["money.min"], "email": ["email"] }
}
\`\`\`

- \`error_code\` diz ao seu programa o que aconteceu. Estas palavras não mudam; as frases de \`message\` podem mudar. Cada rota
  lista, em cada status, as que pode responder.
- Um 422 com \`fields\` traz todos os campos errados de uma vez: as frases em \`errors\`, as palavras em \`error_codes\`, pelo
  caminho do campo (\`smtp.port\`, \`metadata.0.label\`).
- \`hint\`, quando presente, sugere o que fazer.
- Algumas rotas antigas trazem a frase em \`error\`, e não em \`message\`; \`error_code\` está em todas.

| status | quando | o que fazer |
|---|---|---|
| 202 | o banco ainda não respondeu; o valor fica reservado | espere o webhook, ou consulte o registro; não repita |
| 400 | o corpo não é JSON, o banco recusou, ou a situação do registro não permite | leia \`error_code\`: \`json.malformed\`, \`bank.refused\`, \`charge.not-pending\` |
| 401 | token ausente, vencido ou encerrado | renove o token, ou entre de novo |
| 403 | o papel não permite, a organização não está ativa, ou o PIN está errado | leia \`error_code\`: \`permission.lacking\`, \`organization.inactive\`, \`pin.wrong\` |
| 404 | o registro não existe, ou é de outra conta | confira o identificador |
| 405, 413, 415 | método, tamanho ou \`Content-Type\` que a rota não aceita | corrija a requisição |
| 409 | conflito com outra requisição, ou com o que já foi feito | leia \`error_code\`; só \`key.running\` deve ser repetido |
| 410 | o link de pagamento expirou, foi pago ou atingiu o limite | peça outro link a quem cobra |
| 422 | campos errados, ou operação que o banco não oferece | corrija os campos de \`errors\`; sem eles, leia \`error_code\` |
| 429, 503 | limite atingido, ou servidor ocupado | espere os segundos de \`Retry-After\` e repita |
| 500 | falha do servidor | repita com a mesma \`Idempotency-Key\`; se persistir, informe o \`X-Request-Id\` |

## Consultar sem repetir a resposta

A resposta JSON de um GET traz \`ETag\`, que muda com o conteúdo. Quem consulta o mesmo endereço de tempos em tempos envia esse
valor em \`If-None-Match\`: enquanto nada muda, a resposta é 304, sem corpo. Para saber de um pagamento, prefira o webhook.

## Campos ignorados

Campos do corpo que a rota não conhece são ignorados. Fora de produção, a resposta os nomeia em \`X-Ignored-Fields\`, para que
um nome digitado errado não passe em silêncio.

\`\`\`sh
curl -si "$API/v1/clients" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Rita Alves", "document": "390.533.447-05",
  "telefone": "+55 11 98888-0000"
}' | grep -E 'HTTP|X-Ignored'
\`\`\`

\`\`\`text
HTTP/1.1 201 Created
X-Ignored-Fields: telefone
\`\`\`
`

/** The guide to lists, with the routes that differ from the usual form. */
export const PAGINATION = `# Paginação

As listas recebem \`page\`, a partir de 1, e \`per_page\`, de 1 a 500 (15, se não for dito), e trazem primeiro o registro mais
recente.

\`\`\`sh
curl -s "$API/invoices?page=1&per_page=10" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "meta": {
    "current_page": 1, "per_page": 10,
    "total": 1, "last_page": 1
  }
}
\`\`\`

Leia de \`page\` 1 até \`meta.last_page\`. Uma página depois da última é 200 com a lista vazia; \`page\` ou \`per_page\` errado é 422.
Algumas rotas diferem:

| rotas | diferença |
|---|---|
| \`/v1/organizations\`, \`/v1/users\`, \`/v1/clients\`, \`/payment-plans\` | sem \`page\` e \`per_page\`, a resposta é a lista inteira, sem \`meta\` |
| \`/access/manager/users\`, \`/access/manager/api-tokens\` | \`per_page\` é 100, se não for dito; \`meta\` tem \`total\`, \`page\`, \`limit\`, \`total_pages\`, \`has_next_page\` e \`has_prev_page\` |
| \`/consolidation/transactionsV2\` | no lugar de \`meta\`, ao lado de \`data\`: \`current_page\`, \`total_pages\`, \`per_page\`, \`total\` e os endereços \`next_page_url\` e \`prev_page_url\` |
| \`/consolidation/transactions-v2\` | os campos de \`meta\` estão em \`pagination\` |
| \`/consolidation/extract\` | \`per_page\` vai até 10.000 (1.000, se não for dito); a página está em \`transactions\` |
| \`/transactions/card\` | \`perPage\` no lugar de \`per_page\`, até 100 |
| \`/legacypay/pix/list\` | os campos de \`meta\` estão ao lado de \`data\` |
| \`/public/charges\` | \`data\` e \`meta\` estão em \`charges\` |
`
