import { ERRORS, IDEMPOTENCY, NOTIFICATIONS, PAGINATION, PRODUCTION } from './rules.ts'

const start = (url: string): string => `# Comece aqui

A API guarda o que uma imobiliária administra: imóveis, clientes, propostas, contratos, aluguéis, comissões e visitas. Os
guias vêm primeiro, na ordem de uma integração; depois vêm todas as rotas. Para experimentar uma rota nesta página, cole um
ID token em **Authentication** e use **Test Request**. O [painel](${url}/panel) mostra os mesmos dados, para pessoas.

Os comandos dos guias usam \`curl\` e funcionam na ordem em que aparecem. Comece por estes dois:

\`\`\`sh
API=${url}
campo() { grep -o '"'"$1"'":"[^"]*"' | head -n 1 | cut -d '"' -f 4; }
\`\`\`

\`API\` é o endereço deste servidor. \`campo\` extrai um texto de uma resposta em JSON; no seu programa, use o leitor de JSON da
linguagem. As respostas mostradas estão abreviadas.

Em JavaScript e TypeScript, o cliente \`portico/client\` já pede o token ao provedor, envia chaves de idempotência, repete e percorre
páginas.

Em toda a API:

- Corpos e respostas são JSON em UTF-8. Identificadores são GUIDs.
- Valores são em reais, com até duas casas decimais: \`2500.5\`.
- Dias são os de São Paulo, no formato \`AAAA-MM-DD\`. Instantes seguem a ISO 8601, com fuso.
- PUT substitui o registro inteiro: um campo opcional ausente volta a ser nulo.
- Cada resposta traz o cabeçalho \`X-Request-Id\`. Informe-o ao pedir suporte.
`

const PROVIDER = `## 1. Obtenha um ID token

Este servidor usa um provedor de identidade. Cadastre a pessoa nele, com as bibliotecas do provedor, e guarde em \`TOKEN\` o ID
token e em \`USUARIO\` o identificador dela, que é o \`sub\` do token.

Quando o token vencer, o provedor dá outro; esta API não renova tokens.
`

const issuer = (url: string): string => `## 1. Obtenha um ID token

Fora de produção, o servidor traz um emissor de desenvolvimento, com as chamadas do Firebase Authentication.

\`\`\`sh
curl -s "$API/identitytoolkit.googleapis.com/v1/accounts:signUp" \\
  -H 'Content-Type: application/json' -d '{
  "email": "ana@aurora.example", "password": "segredo-123",
  "displayName": "Ana Souza"
}' > pessoa.json
TOKEN=$(campo idToken < pessoa.json)
USUARIO=$(campo localId < pessoa.json)
\`\`\`

O token vale por 1 hora. Para obter outro, troque o \`refreshToken\`, ou entre de novo com e-mail e senha em
\`POST /identitytoolkit.googleapis.com/v1/accounts:signInWithPassword\`.

\`\`\`sh
RENOVACAO=$(campo refreshToken < pessoa.json)
TOKEN=$(curl -s "$API/securetoken.googleapis.com/v1/token" \\
  -d grant_type=refresh_token \\
  -d "refresh_token=$RENOVACAO" | campo id_token)
\`\`\`

Um programa que já usa o Firebase só precisa apontar para este servidor: \`connectAuthEmulator(auth, '${url}')\`.
`

const authentication = (url: string, hasIssuer: boolean): string => `# Como se autenticar

O provedor de identidade diz quem a pessoa é; esta API diz em que imobiliária ela está e o que pode fazer. Toda rota exige o ID
token dele no cabeçalho \`Authorization: Bearer TOKEN\`.

${hasIssuer ? issuer(url) : PROVIDER}
## 2. Funde a imobiliária

Um \`companyId\` novo, um GUID à sua escolha, funda uma imobiliária. Quem a funda é administrador dela (\`Admin\`).

\`\`\`sh
curl -s "$API/api/auth/register" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "firebaseUid": "'"$USUARIO"'", "name": "Ana Souza",
  "email": "ana@aurora.example", "role": "Admin",
  "companyId": "6d0f1f2e-3a0b-4c58-9d7e-2b1a6c9e4f10",
  "company": {
    "legalName": "Imobiliária Aurora Ltda.",
    "taxId": "11.222.333/0001-81"
  }
}'
\`\`\`

\`\`\`json
{
  "email": "ana@aurora.example", "name": "Ana Souza", "role": "Admin",
  "companyId": "6d0f1f2e-3a0b-4c58-9d7e-2b1a6c9e4f10"
}
\`\`\`

## 3. Traga a equipe

\`\`\`sh
curl -s "$API/api/invitations" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "bruno@aurora.example", "role": "Broker" }'
\`\`\`

\`\`\`json
{ "email": "bruno@aurora.example", "role": "Broker", "status": "Pending" }
\`\`\`

O convite chega por e-mail, vale por 7 dias e uma só vez. O convidado entra no provedor com o mesmo e-mail e o aceita com
\`POST /api/invitations/accept\`. Proprietários (\`Owner\`) e inquilinos (\`Tenant\`) se cadastram sozinhos com
\`POST /api/auth/register\` e o \`companyId\` da imobiliária, e veem o que está no e-mail confirmado deles.

| papel | o que faz |
|---|---|
| \`Admin\` | tudo; só este papel exclui registros |
| \`Broker\` | imóveis, clientes, propostas, contratos e visitas |
| \`Financial\` | contratos, pagamentos, comissões e relatórios |
| \`Owner\`, \`Tenant\` | leem os próprios contratos e pagamentos; \`Owner\` também os imóveis |
| \`Syndic\` | lê os condomínios que administra |

Um token válido de uma pessoa não cadastrada é 403 com \`user.unregistered\`. Um 401 com \`token.invalid\` pede um token novo.
`

const FIRST_RENT = `# Do primeiro imóvel ao pagamento

## 1. Cadastre proprietário, inquilino e imóvel

\`\`\`sh
DONO=$(curl -s "$API/api/clients" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Diego Rocha", "email": "diego@example.com",
  "type": "Individual", "interest": "Investment"
}' | campo id)

INQUILINA=$(curl -s "$API/api/clients" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Maria da Silva", "email": "maria@example.com",
  "taxId": "123.456.789-09",
  "type": "Individual", "interest": "Lease"
}' | campo id)

curl -s "$API/api/properties" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "code": "AP-101", "type": "Apartment", "purpose": "Lease",
  "rentPrice": 2500, "ownerId": "'"$DONO"'",
  "address": {
    "street": "Rua das Flores", "number": "100",
    "city": "São Paulo", "state": "SP", "zipCode": "01310-100"
  }
}' | tee imovel.json
\`\`\`

\`\`\`json
{
  "code": "AP-101", "status": "Available", "rentPrice": 2500,
  "owner": { "name": "Diego Rocha" }
}
\`\`\`

## 2. Faça o contrato

O contrato de locação aluga o imóvel: a situação dele passa a \`Rented\`. Um contrato também nasce de uma proposta aprovada, com
\`POST /api/proposals/{id}/convert\`.

\`\`\`sh
curl -s "$API/api/contracts" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "type": "Lease", "propertyId": "'"$(campo id < imovel.json)"'",
  "clientId": "'"$INQUILINA"'", "value": 2500,
  "startDate": "2099-12-01", "endDate": "2102-05-31",
  "dueDay": 10, "indexer": "IGPM",
  "finePercentage": 10, "interestPercentage": 1
}' | tee contrato.json
\`\`\`

\`\`\`json
{
  "type": "Lease", "status": "Active", "value": 2500,
  "property": { "code": "AP-101" },
  "client": { "name": "Maria da Silva" }
}
\`\`\`

## 3. Crie os aluguéis do mês

Um pedido cria o aluguel de cada locação que ainda não o tem; repeti-lo só cobra os dias que uma renovação somou ao mês.
\`"dryRun": true\` só mostra o que seria criado.

\`\`\`sh
curl -s "$API/api/contracts/run-rent" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "period": "2099-12" }' | tee alugueis.json
\`\`\`

\`\`\`json
{
  "period": "2099-12",
  "created": [
    {
      "type": "Rent", "value": 2500,
      "dueDate": "2099-12-10", "status": "Pending"
    }
  ],
  "skipped": []
}
\`\`\`

Com \`RENT_RUN_DAY\`, o servidor faz isso sozinho em um dia do mês. Cobra também os dias somados ao mês anterior, e os
primeiros dias de um contrato que começou nele e foi criado depois do dia da criação dos aluguéis.
\`GET /api/payments/{id}/quote\` calcula o que se deve em um dia: multa, juros ou desconto, como diz o contrato.

## 4. Registre o pagamento

\`\`\`sh
ALUGUEL=$(campo id < alugueis.json)
curl -s -X PATCH "$API/api/payments/$ALUGUEL/pay" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "method": "Transfer", "paidValue": 2500,
  "paidAt": "2026-11-20T12:00:00-03:00"
}'
\`\`\`

\`\`\`json
{ "status": "Paid", "method": "Transfer", "paidValue": 2500 }
\`\`\`

Para receber por Pix ou boleto, um administrador liga a imobiliária a uma conta da API de pagamentos, com a chave de API dela:
\`PUT /api/company/payment-account\`. Depois, \`POST /api/payments/{id}/charge\` cobra o inquilino, e o pagamento passa a \`Paid\`
quando a cobrança é paga. Paga em parte, ela continua aberta: \`receivedValue\` mostra quanto já chegou, e o cálculo de
\`GET /api/payments/{id}/quote\` e a próxima cobrança pedem o resto. Se a cobrança aberta não pede o que se deve hoje, porque o
aluguel está em atraso ou uma parte chegou por uma cobrança anterior, o mesmo pedido a troca. Se as partes já cobrem o que se
deve, o pagamento passa a \`Paid\`. Devolvida por inteiro uma cobrança, o pagamento volta a ser devido, a não ser que o que
restou o cubra; devolvida em parte, ele continua pago. Em todos os casos o extrato do proprietário deixa de contar o que foi
devolvido; se o pagamento era de um mês anterior, o extrato do mês da devolução o mostra.

A rescisão e o cancelamento de um contrato cancelam o que vence depois. De um aluguel pago em parte ficam em aberto os dias até
o fim; se a parte já os cobre, ou se nada mais é devido, ele passa a \`Paid\` com o que chegou. Um pagamento que vencia depois
do fim e é devolvido por inteiro passa a \`Cancelled\`; se uma parte do dinheiro ficou, os dias até o fim continuam devidos.

Os números da imobiliária, como o valor em aberto e os contratos que terminam, estão em \`GET /api/dashboard\`.
`

/**
 * Returns the guides of the real-estate API in Markdown, one top heading a guide, in the order of an integration. Their
 * commands run one after the other in one shell, against the server at `url`; without the development issuer the reader
 * sets `TOKEN` and `USUARIO`.
 */
export const guidesOf = (url: string, hasIssuer: boolean): string =>
  [
    start(url),
    authentication(url, hasIssuer),
    FIRST_RENT,
    NOTIFICATIONS,
    ERRORS,
    IDEMPOTENCY,
    PAGINATION,
    PRODUCTION,
  ].join('\n')
