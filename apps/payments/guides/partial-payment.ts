/** The guide to charges that are paid in several payments, and to payments of more than the amount due. */
export const PARTIAL_PAYMENT = `# Receber em partes

Uma conta pode aceitar que uma cobrança por Pix ou boleto seja paga em partes. Sem isso, qualquer pagamento quita a cobrança,
seja qual for o valor.

## 1. Aceite partes

\`\`\`sh
curl -s -X PUT "$API/access/account" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "pin": "135790", "accept_partial": true, "partial_tolerance": 0.5
}'
\`\`\`

\`\`\`json
{ "account": { "accept_partial": true, "partial_tolerance": 0.5 } }
\`\`\`

\`partial_tolerance\` é quanto pode faltar, em reais, para a cobrança contar como paga; por padrão, nada.

## 2. Receba uma parte

\`\`\`sh
CODIGO=$(curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "value": 100, "payment_method": "PIX", "due_date": "2099-12-31",
  "name": "Maria da Silva", "email": "maria@example.com",
  "document": "123.456.789-09"
}' | tee partes.json | campo code)

curl -s -o /dev/null "$API/fake-bank/payments" \\
  -H 'Content-Type: application/json' \\
  -d '{ "txid": "'"$(campo txid < partes.json)"'", "value": 40 }'
\`\`\`

\`\`\`sh
curl -s "$API/invoices/$CODIGO" \\
  -H "Authorization: Bearer $TOKEN" | tee resto.json
\`\`\`

\`\`\`json
{
  "data": {
    "value": 100, "amount_paid": 40, "amount_left": 60,
    "status": { "title": "pending" }
  }
}
\`\`\`

- O Pix ou boleto do que falta toma o lugar do que foi pago: a página da cobrança o mostra, e \`charge.updated\` o avisa.
- O pagamento conta primeiro para a multa, depois para os juros, e então para o valor (Código Civil, art. 354). Os juros
  continuam só sobre o valor que falta.
- Um pagamento do código anterior também conta.

## 3. Receba o resto

Aqui o pagador paga R$ 20,00 a mais.

\`\`\`sh
curl -s -o /dev/null "$API/fake-bank/payments" \\
  -H 'Content-Type: application/json' \\
  -d '{ "txid": "'"$(campo txid < resto.json)"'", "value": 80 }'
curl -s "$API/v1/charges/$CODIGO/payments" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{
  "payments": {
    "amount_paid": 120, "amount_over": 20, "amount_left": 0,
    "payments": [
      { "type": "Pix In", "value": 80, "refunded_value": 0 },
      { "type": "Pix In", "value": 40, "refunded_value": 0 }
    ]
  }
}
\`\`\`

| evento | quando |
|---|---|
| \`charge.partially_paid\` | um pagamento deixou algo a pagar: \`amount_left\` |
| \`charge.paid\` | um pagamento quitou a cobrança |
| \`charge.overpaid\` | um pagamento passou do que se devia: \`amount_over\` |
| \`charge.rest_refused\` | o banco recusou o Pix ou boleto do que falta: \`rest_refused\` |

Se o banco não responde, o pedido é repetido. Se recusa, a página pede que o pagador fale com a conta;
\`PUT /invoices/{id}\`, mesmo sem campos, pede outro código.

## 4. Devolva o que veio a mais

Com \`overpaid\`, uma chamada devolve tudo o que foi pago a mais por Pix, ou a parte que \`value\` diz.

\`\`\`sh
curl -s "$API/invoices/$CODIGO/refund" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "overpaid": true }'
\`\`\`

\`\`\`json
{ "data": { "amount_over": 0, "refunded_value": 20 } }
\`\`\`

Numa cobrança ainda aberta, o valor devolvido volta a \`amount_left\`.

## 5. Deixe de aceitar

\`\`\`sh
curl -s -o /dev/null -X PUT "$API/access/account" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "pin": "135790", "accept_partial": false }'
\`\`\`

Com \`accept_partial\` falso, o próximo pagamento de uma cobrança paga em parte a quita, seja qual for o valor.
`
