import { KEY_LIFE_SECONDS, MAX_KEY_CHARS } from '../../../core/office/idempotency-keys.ts'

/** The guide to notifications and their event stream. */
export const NOTIFICATIONS = `# Notificações e eventos

Cada usuário tem as suas notificações: propostas novas e aprovadas, visitas confirmadas, comissões, contratos que terminam e
pagamentos em atraso. A verificação diária cria as duas últimas; um administrador pode pedi-la a qualquer hora.

\`\`\`sh
curl -s "$API/api/payments" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "contractId": "'"$(campo id < contrato.json)"'",
  "type": "Rent", "value": 2500,
  "period": "2026-10", "dueDate": "2026-10-13"
}' > atrasado.json

curl -s -X POST "$API/api/notifications/check-alerts" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{ "paymentsDefaulted": 1, "notificationsCreated": 1 }
\`\`\`

\`\`\`sh
curl -s "$API/api/notifications" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{
  "data": [
    {
      "type": "PaymentDefault", "title": "Pagamento em atraso",
      "isRead": false, "resourceType": "Payment"
    }
  ],
  "unreadCount": 1
}
\`\`\`

\`resourceType\` e \`resourceId\` dizem de que registro a notificação trata. Marque-a como lida com
\`PATCH /api/notifications/{id}/read\`.

## Na hora em que acontecem

\`GET /api/notifications/stream\` mantém a conexão aberta e envia cada notificação como um evento (server-sent events) de nome
\`notification\`, com o JSON dela em \`data\`.

\`\`\`sh
curl -sN --max-time 2 "$API/api/notifications/stream" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Last-Event-ID: 0' | grep '^event' || true
\`\`\`

\`\`\`text
event: notification
\`\`\`

- Guarde o último \`id\` recebido. Ao reconectar, envie-o em \`Last-Event-ID\`: o servidor manda o que faltou.
- A conexão termina quando o token vence: obtenha outro e reconecte.
- O \`EventSource\` dos navegadores não envia \`Authorization\`: leia a resposta de \`fetch\` aos poucos.
`

/** The guide to failures and ignored fields. */
export const ERRORS = `# Erros

Um erro é um documento de problema da RFC 9457, com \`Content-Type: application/problem+json\`.

\`\`\`sh
curl -s "$API/api/properties" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "code": "AP-102", "type": "Loft", "purpose": "Lease",
  "ownerId": "'"$DONO"'"
}'
\`\`\`

\`\`\`json
{
  "type": "urn:portico:problem:fields",
  "title": "Requisição inválida", "status": 400,
  "detail": "Os dados fornecidos são inválidos.",
  "code": "fields",
  "errors": [
    { "field": "type", "code": "one-of" },
    { "field": "address", "code": "required" }
  ]
}
\`\`\`

- \`code\` diz ao seu programa o que aconteceu. Estas palavras não mudam; as frases de \`detail\` podem mudar. Cada rota lista, em
  cada status, as que pode responder.
- Com \`fields\`, \`errors\` traz todos os campos errados de uma vez: o caminho do campo, a frase e a palavra de cada um.
- \`hint\`, quando presente, sugere o que fazer.

| status | quando | o que fazer |
|---|---|---|
| 400 | campos errados, ou o corpo não é JSON | corrija os campos de \`errors\`; sem eles, leia \`code\` |
| 401 | token ausente, vencido ou de outro emissor | obtenha outro no provedor |
| 403 | pessoa não cadastrada, corretor inativo, ou papel que não permite | leia \`code\`: \`user.unregistered\`, \`broker.barred\`, \`permission.lacking\` |
| 404 | o registro não existe, ou é de outra imobiliária | confira o identificador |
| 405, 413, 415 | método, tamanho ou \`Content-Type\` que a rota não aceita | corrija a requisição |
| 409 | um valor único já existe, ou a chave está em uso | leia \`code\`: \`key.running\` pode ser repetido |
| 422 | a situação do registro não permite | leia \`code\` e \`detail\` |
| 429, 503 | limite atingido, servidor ocupado ou provedor fora do ar | espere os segundos de \`Retry-After\` e repita |
| 500 | falha do servidor | repita; se persistir, informe o \`X-Request-Id\` |

Campos do corpo que a rota não conhece são ignorados. Fora de produção, a resposta os nomeia em \`X-Ignored-Fields\`:

\`\`\`sh
curl -si "$API/api/clients" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Rita Alves", "email": "rita@example.com",
  "type": "Individual", "interest": "Lease", "telefone": "11"
}' | grep -E 'HTTP|X-Ignored'
\`\`\`

\`\`\`text
HTTP/1.1 201 Created
X-Ignored-Fields: telefone
\`\`\`
`

/** The guide to idempotency keys. */
export const IDEMPOTENCY = `# Idempotência

Se a conexão cai antes da resposta, não se sabe se o registro foi criado. Para poder repetir, envie \`Idempotency-Key\` em todo
POST que cria algo: um texto de 1 a ${MAX_KEY_CHARS} caracteres, único por operação.

\`\`\`sh
for vez in 1 2; do
  curl -si "$API/api/clients" \\
    -H "Authorization: Bearer $TOKEN" \\
    -H 'Content-Type: application/json' \\
    -H 'Idempotency-Key: cadastro-8' -d '{
    "name": "Pedro Lima", "email": "pedro@example.com",
    "type": "Individual", "interest": "Purchase"
  }' | grep -E 'HTTP|Idempotent'
done
\`\`\`

\`\`\`text
HTTP/1.1 201 Created
HTTP/1.1 201 Created
Idempotent-Replayed: true
\`\`\`

- A chave vale por ${KEY_LIFE_SECONDS / 3_600} horas, para o usuário e o endereço em que foi usada.
- O mesmo corpo devolve a primeira resposta. Outro corpo é 422 com \`key.reused\`.
- Enquanto a primeira requisição está em andamento, a resposta é 409 com \`key.running\`: espere os segundos de \`Retry-After\` e
  repita.
- Só uma resposta 2xx fica guardada. Depois de um erro, corrija o corpo e use a mesma chave.
`

/** The guide to lists. */
export const PAGINATION = `# Paginação

As listas recebem \`page\`, a partir de 1, e \`pageSize\`, de 1 a 100 (20, se não for dito), e trazem primeiro o mais recente.

\`\`\`sh
curl -s "$API/api/clients?page=1&pageSize=2" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{
  "page": 1, "pageSize": 2, "total": 4,
  "totalPages": 2, "hasNext": true, "hasPrevious": false
}
\`\`\`

Os registros estão em \`data\`. Leia páginas enquanto \`hasNext\` for \`true\`. Uma página depois da última é 200 com a lista vazia.
Um filtro que a rota não conhece é 400.
`

/** The guide to the settings of production. */
export const PRODUCTION = `# Ir para produção

Quando \`NODE_ENV\` é \`production\`, o servidor não inicia sem os segredos e sem um provedor de identidade, e o emissor de
desenvolvimento não existe.

| variável | em produção |
|---|---|
| \`NODE_ENV\` | \`production\` |
| \`IDENTITY_ISSUER\`, \`IDENTITY_AUDIENCE\`, \`IDENTITY_JWKS_URL\` | o provedor. Com o Firebase: \`https://securetoken.google.com/PROJETO\`, \`PROJETO\`, \`https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com\` |
| \`IDENTITY_SIGN_IN_URL\`, \`IDENTITY_API_KEY\` | a entrada do painel. Com o Firebase: \`https://identitytoolkit.googleapis.com/v1\` e a chave web do projeto |
| \`OPEN_REGISTRATION\` | deixe sem valor: em produção, a equipe entra por convite |
| \`JWT_SECRET\` | ao menos 32 bytes, de \`openssl rand -base64 32\` |
| \`DATA_KEY\` | cifra os segredos guardados: 32 bytes em base64. Guarde uma cópia longe do banco de dados: sem ela, ele não abre |
| \`PUBLIC_URL\` | o endereço https em que as pessoas chegam |
| \`STORE_URL\`, \`DATA_DIR\` | onde ficam os dados: SQLite em um volume com cópias, ou MongoDB |
| \`SMTP_URL\`, \`MAIL_FROM\` | o servidor de e-mail e o remetente; sem eles, os e-mails ficam em arquivos |
| \`TRUST_PROXY\` | \`true\`, se há um proxy na frente |
| \`RENT_RUN_DAY\`, \`ALERTS_AT\` | o dia da criação dos aluguéis e a hora das verificações diárias |
| \`INDEX_TABLE\` | os índices IGPM e IPCA, usados nos reajustes; nenhum número vem com o servidor |
| \`BANK\` | o banco das cobranças; o padrão, \`fake\`, não move dinheiro |

Cada segredo pode vir de um arquivo: \`JWT_SECRET_FILE\`, \`DATA_KEY_FILE\` e assim por diante.

\`\`\`sh
curl -s "$API/health"
\`\`\`

\`\`\`json
{ "status": "ok" }
\`\`\`

\`GET /health\` responde 503 enquanto os dados não podem ser lidos ou gravados.
`
