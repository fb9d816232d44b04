import { CONSUMER_FINE_PERCENT } from '../../../core/payments/terms.ts'

/** The guide to the late fine and the amount due of each day. */
export const LATE_PAYMENT = `# Pagamento em atraso

Uma cobrança pode pedir multa e juros de quem paga em atraso, e dar desconto a quem paga antes. A multa é cobrada uma vez, a
partir do primeiro dia de atraso; os juros contam por dia. Um vencimento em fim de semana ou feriado bancário passa para o
próximo dia útil, e só depois dele há atraso.

| campos | significado |
|---|---|
| \`fine\`, \`type_fine\` | multa: percentual do valor (\`PERCENTAGE\`) ou reais (\`ABSOLUTE\`) |
| \`amount_rate\`, \`type_rate\` | juros: percentual ao mês (\`PERCENTAGE\`) ou reais ao dia (\`ABSOLUTE\`) |
| \`discount\`, \`type_discount\`, \`days_discount\` | desconto: percentual do valor ou reais, até tantos dias antes do vencimento |

## Calcule antes de emitir

\`\`\`sh
curl -s "$API/v1/charges/amount-due" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "value": 100, "payment_method": "BOLETO",
  "due_date": "2039-12-01", "day": "2039-12-11",
  "fine": 2, "amount_rate": 1
}'
\`\`\`

\`\`\`json
{
  "code": 200, "success": true,
  "quote": {
    "amount_due": 102.33,
    "installments": [
      { "value": 100, "fine": 2, "interest": 0.33, "discount": 0, "amount_due": 102.33 }
    ]
  },
  "message": "Valor calculado com sucesso."
}
\`\`\`

A página, o PDF, os avisos e o banco pedem em cada dia esse mesmo valor. Os mesmos campos servem a \`POST /invoices\`,
\`POST /invoices/with-plan\` e \`PUT /invoices/{id}\`; \`fine\` e \`type_fine\`, também aos links de pagamento. \`boleto_configs\` da conta
vale para as cobranças que não dizem os seus; \`fine\` 0 dispensa a multa. \`GET /v1/charges/{id}/terms\` mostra as condições de
uma cobrança emitida e quanto se paga hoje.

## O limite da multa

Numa relação de consumo, a multa é de no máximo ${CONSUMER_FINE_PERCENT}% do valor (Lei 8.078/90, art. 52, § 1º), também em reais:

\`\`\`sh
curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "value": 100, "payment_method": "BOLETO", "fine": 10,
  "due_date": "2039-12-01", "name": "Maria da Silva",
  "email": "maria@example.com", "document": "123.456.789-09"
}'
\`\`\`

\`\`\`json
{ "code": 422, "success": false, "error_codes": { "fine": ["charge.consumer-fine"] } }
\`\`\`

- Quem paga com CNPJ pode ter multa maior, até o valor da cobrança (Código Civil, art. 412). Todo outro pagador conta como
  consumidor.
- Se um cliente passa de CNPJ a outro documento, a multa das cobranças pendentes dele que passa do limite é reduzida em seguida, e
  o boleto é registrado de novo.
- Uma conta sem relações de consumo o declara em \`PUT /access/account\`, com o PIN e \`no_consumer_relation\` verdadeiro. A declaração
  fica na trilha de auditoria.
- A multa de \`boleto_configs\` e a de um link não conhecem o pagador: na emissão, a que passa do limite é reduzida a ele.
`
