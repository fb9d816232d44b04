const PROVIDER = `## 1. Entre

Quem as pessoas são, o provedor de identidade do servidor diz: cadastre-se nele, e ponha o ID token que ele dá em \`TOKEN\` e o
identificador do usuário em \`UID_DELA\`.

`

const issuer = (url: string): string => `## 1. Cadastre-se no emissor de desenvolvimento

Fora de produção o servidor traz um provedor de identidade, com as chamadas do Firebase Authentication. O ID token vale por uma
hora.

\`\`\`sh
CONTA=$(curl -s '${url}/identitytoolkit.googleapis.com/v1/accounts:signUp' -H 'Content-Type: application/json' -d '{
  "email": "ana@aurora.example", "password": "segredo-123", "displayName": "Ana Souza"
}')
TOKEN=$(echo "$CONTA" | sed 's/.*"idToken":"\\([^"]*\\)".*/\\1/')
UID_DELA=$(echo "$CONTA" | sed 's/.*"localId":"\\([^"]*\\)".*/\\1/')
\`\`\`

`

const founding = (url: string): string => `## 2. Funde a imobiliária

Um \`companyId\` novo (um GUID à sua escolha) funda uma imobiliária, cuja administradora é quem o envia.

\`\`\`sh
curl -s ${url}/api/auth/register -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "firebaseUid": "'"$UID_DELA"'", "email": "ana@aurora.example", "name": "Ana Souza", "role": "Admin",
  "companyId": "6d0f1f2e-3a0b-4c58-9d7e-2b1a6c9e4f10",
  "company": { "legalName": "Imobiliária Aurora Ltda.", "taxId": "11.222.333/0001-81" }
}'
\`\`\`

`

const letting = (url: string): string => `## 3. Cadastre um proprietário e um imóvel

\`\`\`sh
DONO=$(curl -s ${url}/api/clients -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "name": "Diego Rocha", "email": "diego@example.com", "type": "Individual", "interest": "Investment"
}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
curl -s ${url}/api/properties -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "code": "AP-101", "type": "Apartment", "purpose": "Lease", "rentPrice": 2500, "ownerId": "'"$DONO"'",
  "address": { "street": "Rua das Flores", "number": "100", "city": "São Paulo", "state": "SP", "zipCode": "01310-100" }
}'
\`\`\`

## 4. Veja os números

\`\`\`sh
curl -s ${url}/api/dashboard -H "Authorization: Bearer $TOKEN"
\`\`\`

Os mesmos números, para quem prefere olhar, estão no [painel](${url}/panel).

`

/** The rules that all routes share. */
const GROUND_RULES = `# Erros

Um erro é um documento de problema da RFC 9457: \`detail\`, para pessoas, e \`code\`, para programas, cujas palavras não mudam;
\`hint\` diz, às vezes, o que fazer. Um 400 com \`code\` \`fields\` traz todos os campos errados de uma vez, em \`errors\`.

Campos do corpo que a rota não conhece são ignorados. Fora de produção, a resposta de quem escreve os nomeia no cabeçalho
\`X-Ignored-Fields\`: um \`rentPirce\` não se perde em silêncio.

Cada resposta traz \`X-Request-Id\`: cite-o quando pedir ajuda.

# Repetir sem medo

Todo POST que cria algo aceita \`Idempotency-Key\` (1 a 255 caracteres, à sua escolha). A mesma chave com o mesmo corpo devolve,
por 24 horas, a primeira resposta, com \`Idempotent-Replayed: true\`; com outro corpo é 422.

# Páginas

Listas aceitam \`page\` (a partir de 1) e \`pageSize\`, e respondem com \`total\`, \`totalPages\`, \`hasNext\` e \`hasPrevious\`. Valores
são em reais, com até duas casas; dias são de São Paulo, em \`AAAA-MM-DD\`.
`

/** The beginning of the documentation, in Markdown: from sign-up to a property, by commands that work as they are. */
export const introductionOf = (url: string, hasIssuer: boolean): string =>
  `Imóveis, propostas, contratos, aluguéis, comissões e visitas de uma imobiliária. Esta página mostra cada rota e a experimenta: em
**Authentication**, cole o ID token uma vez, e cada **Test Request** já vai autenticado.

# Primeiros passos

${hasIssuer ? issuer(url) : PROVIDER}${founding(url)}${letting(url)}${GROUND_RULES}`
