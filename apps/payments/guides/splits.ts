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

Um split envia a outra conta uma parte de cada recebimento. Para defini-lo é preciso \`charges:write\` em cobranças e planos, e
\`links:write\` em links; uma chave de API com a permissão basta. Numa conta que pede o segundo fator nos saques (\`second_factor_from\` ou
\`second_factor_day_from\`), o primeiro split para cada conta o pede também, como um saque: sem um desafio respondido em
\`X-Second-Factor\`, a resposta é 403 com \`second-factor.required\`. Só administradores criam e revogam chaves para receber.

Planos de pagamento e links de pagamento aceitam o mesmo \`splits\`: até 20 contas, cada uma com \`percent\` ou \`amount\`.

- \`percent\` vale sobre cada pagamento; \`amount\`, sobre o valor da cobrança: de um pagamento em parte, a conta recebe a parte
  correspondente. Frações de centavo são cortadas e ficam com quem emite; entre vários \`percent\`, os centavos inteiros vão aos
  maiores restos.
- A tarifa é de quem emite; com \`RECEIVER\` em \`fee_bearer\`, cada conta arca com a da sua parte. Se o que sobra a quem emite
  não paga a tarifa, as partes diminuem na mesma proporção.
- No plano, \`amount\` vale para o total, e se divide entre as parcelas como o valor.
- Quem recebe vê a parte no seu extrato, com o comprovante, e é avisado por \`split.received\`, sem os dados de quem pagou. Quem
  emite vê, em cada linha de split e no seu comprovante, a conta que recebeu.
- No extrato, as partes têm os tipos 18 (\`split-out\`), 19 (\`split-in\`) e 20 (\`split-return\`, na devolução). As rotas que
  listam tipos de transação não mostram estes três.
- A parte de uma conta suspensa fica retida no saldo dela. É liberada até um minuto depois de a conta voltar a aceitar
  alterações. O lançamento no extrato diz que ela está retida, e depois em que dia foi liberada. A parte de uma conta removida
  fica com quem emite, e a que ainda está retida volta a quem emite, como tipo 20. Uma conta com saldo, também retido, não pode
  ser removida.
- De uma venda no cartão, a parte entra no saldo de quem recebe; \`net_amount\` da venda é o que ficou com quem emitiu.
- Depois de uma devolução, cada conta fica com a sua parte do que continua pago; o excedente sai do saldo livre dela. Devolver o
  que foi pago a mais não reduz um \`amount\`. O que faltar sai de quem emitiu: em \`refunds\`, \`splits\` mostra \`returned\`
  e \`owed\`.
- Se o banco recusa a devolução, as partes são recalculadas na hora, e a diferença aparece como tipo 20 nos dois extratos.
`
