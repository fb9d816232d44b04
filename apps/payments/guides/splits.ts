/** The guide to charges whose payments several accounts share. */
export const SPLITS = `# Dividir cobranças entre contas

Uma conta pode repassar a outras uma parte do que recebe por uma cobrança. Quem recebe aceita antes, e entrega uma chave a quem
emite.

## 1. Aceite receber

\`\`\`sh
curl -s -o /dev/null "$API/v1/organizations" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
  "name": "Professora Bia", "document": "11.444.777/0001-61"
}'
PARTE=$(curl -s "$API/v1/split-receivers" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "name": "Escola Aurora" }' | campo key)
\`\`\`

A chave só serve para enviar dinheiro à conta. Em \`issuers\`, limite-a aos códigos das contas que podem usá-la (\`code_account\`).
\`DELETE /v1/split-receivers/{id}\` a revoga: novas cobranças não a aceitam, e as que já existem mantêm a parte.

## 2. Emita e receba

\`\`\`sh
CODIGO=$(curl -s "$API/invoices" \\
  -H "Authorization: Bearer $TOKEN" -H "X-Account-Id: $ORGANIZACAO" \\
  -H 'Content-Type: application/json' -d '{
  "value": 100, "payment_method": "PIX", "due_date": "2099-12-31",
  "name": "Maria da Silva", "email": "maria@example.com",
  "document": "123.456.789-09",
  "splits": [{ "account": "'"$PARTE"'", "percent": 30 }]
}' | tee dividida.json | campo code)

curl -s -o /dev/null "$API/fake-bank/payments" \\
  -H 'Content-Type: application/json' \\
  -d '{ "txid": "'"$(campo txid < dividida.json)"'" }'

curl -s "$API/invoices/$CODIGO" \\
  -H "Authorization: Bearer $TOKEN" -H "X-Account-Id: $ORGANIZACAO"
\`\`\`

\`\`\`json
{
  "data": {
    "status": { "title": "paid" },
    "splits": [{
      "name": "Professora Bia",
      "percent": 30, "amount": null, "fee_bearer": "ISSUER", "received": 30
    }]
  }
}
\`\`\`

\`\`\`sh
curl -s "$API/v1/balance" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

\`\`\`json
{ "balance": { "balance": 30, "available": 30 } }
\`\`\`

Um split envia a outra conta o que se recebe dali em diante. Define-o quem pode emitir: \`charges:write\` nas cobranças e nos
planos, \`links:write\` nos links, também por chave de API. Numa conta que pede o segundo fator nos saques (\`second_factor_from\` ou
\`second_factor_day_from\`), o primeiro split para cada conta o pede também, como um saque: sem um desafio respondido em
\`X-Second-Factor\`, a resposta é 403 com \`second-factor.required\`. Só administradores criam e revogam chaves para receber.

Planos de pagamento e links de pagamento aceitam o mesmo \`splits\`: até 20 contas, cada uma com \`percent\` ou \`amount\`.

- \`percent\` é do que for pago; \`amount\`, do valor da cobrança. De um pagamento em parte, cada conta recebe o correspondente.
  Os centavos vão aos maiores restos, e o que sobra é de quem emite.
- A tarifa é de quem emite; com \`RECEIVER\` em \`fee_bearer\`, cada conta arca com a da sua parte. Se o que sobra a quem emite
  não paga a tarifa, as partes diminuem na mesma proporção.
- No plano, \`amount\` é do total, e se divide como ele entre as parcelas.
- Quem recebe vê a parte no seu extrato, com o comprovante, e é avisado por \`split.received\`, sem os dados de quem pagou. Quem
  emite vê, em cada linha de split e no seu comprovante, a conta que recebeu.
- No extrato, as partes têm os tipos 18 (\`split-out\`), 19 (\`split-in\`) e 20 (\`split-return\`, na devolução). As listas de tipos
  mostram só os das contas sem divisão.
- A parte de uma conta suspensa fica retida nela, e fica livre até um minuto depois de a conta voltar a aceitar alterações. O
  lançamento no extrato diz que ela está retida, e depois em que dia foi liberada.
- De uma venda no cartão, a parte entra no saldo de quem recebe; \`net_amount\` da venda é o que ficou com quem emitiu.
- Uma devolução toma de volta, do que a conta tem livre, só o que passa da parte dela no que continua pago da cobrança. Devolver
  o que foi pago a mais não reduz um \`amount\`. O que faltar sai de quem emitiu: em \`refunds\`, \`splits\` mostra \`returned\`
  e \`owed\`.
- Se o banco não faz uma devolução, cada conta volta a ter a parte dela no que continua pago. O que pagamentos e devoluções
  tomaram ou creditaram a mais enquanto ela estava pendente é acertado na hora, com lançamentos do tipo 20 nos dois extratos.
`
