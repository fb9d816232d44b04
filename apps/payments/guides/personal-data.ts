import {
  FIXED_RETENTION,
  RETENTION_KINDS,
  type RetentionKind,
  SET_RETENTION,
} from '../../../core/payments/retention.ts'

/** The variable of a kind: `RETENTION_DAYS_API_KEYS` of `apiKeys`. */
const variableOf = (kind: RetentionKind): string =>
  `RETENTION_DAYS_${kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

const NO_END = 'sem prazo'

const SET_ROWS = RETENTION_KINDS.map((kind) => {
  const { about, since, days, least, greatest, reason } = SET_RETENTION[kind]
  const term = days === null ? NO_END : `${days} dias`
  return `| ${about} | ${term} | \`${variableOf(kind)}\`: ${least} a ${greatest}, desde ${since} | ${reason} |`
})

const FIXED_ROWS = FIXED_RETENTION.map(
  ({ about, term, reason }) => `| ${about} | ${term ?? NO_END} | fixo | ${reason} |`,
)

/** The guide to the rights of payers, and of members of the team, over their personal data. */
export const PERSONAL_DATA = `# Direitos de quem paga

A LGPD (Lei 13.709/2018) dá a quem paga o direito de ver os dados que se guardam dele (art. 18, II) e de pedir que sejam
eliminados (art. 18, VI), menos os que a lei manda guardar (art. 16, I). Quem responde ao pedido é a organização que cobra.

| rota | efeito |
|---|---|
| \`GET /v1/clients/{id}/personal-data\` | mostra tudo o que se guarda do cliente: cadastro, cobranças, lançamentos, devoluções, links, avisos, eventos e webhooks; em PDF com \`format=pdf\`, ou se o cabeçalho Accept prefere PDF |
| \`POST /v1/clients/{id}/erase\` | elimina os dados; só um ADMIN pode, e não com uma chave de API |

- Um cliente removido também se consulta e se elimina, por seu id. Cada consulta fica na auditoria.
- Cobranças em aberto impedem a eliminação: a resposta é 409 com \`client.charges-open\` e cita cada uma em \`errors\`.
- O pedido primeiro remove o cliente, para que nenhuma cobrança nova seja emitida. Se for interrompido nesse ponto, o cliente
  fica removido até que se repita o pedido.
- O cadastro é eliminado na hora. As cópias em cobranças, extrato, links, avisos, eventos e webhooks são eliminadas em
  segundo plano: \`status\` passa de \`processing\` a \`completed\` em alguns minutos. Repetir o pedido não muda nada e mostra a
  situação. Não se desfaz.
- No lugar de um texto obrigatório fica “Dados eliminados”; os outros ficam nulos.
- Os extratos exportados da conta que podem conter lançamentos do cliente são apagados, também os que se pediram até o fim da
  eliminação: o link de cada um passa a responder 404, e o extrato se pede de novo. A notificação de quem o pediu passa de
  \`export.ready\` a \`export.removed\`, sem o link.
- Webhooks que já foram entregues continuam no sistema que os recebeu, e e-mails na caixa de quem os recebeu. O mesmo vale para
  arquivos já baixados, para cópias de segurança e, num servidor sem SMTP, para os e-mails e mensagens que ele gravou na pasta
  “outbox”: quem opera o servidor apaga esses arquivos.

## O que fica, e até quando

| dado | motivo | até quando |
|---|---|---|
| de pagamentos recebidos: valores, datas, meio, \`txid\`, \`end_to_end_id\`, nome e documento de quem pagou, cartão (bandeira, final, titular) | registro de operação: Circular BCB 3.978/2020, art. 67, III | dez anos, desde 1º de janeiro do ano seguinte ao último pagamento; depois, nome e documento guardados pela eliminação são apagados |
| quem pediu a eliminação, quando e de que cliente | prova de que o pedido foi atendido | sem prazo |
| respostas a requisições com \`Idempotency-Key\`, cifradas | repetição segura | 24 horas |
| ordens ao banco em andamento ou de títulos trocados, cifradas | o banco ainda não respondeu, ou a cobrança mudou | até 30 dias depois da resposta |

Dados de quem recebe saques, de usuários da organização e de Pix sem cobrança não são dados de um cliente: estas rotas não os
mostram nem eliminam.

## Quem sai da equipe

| rota | efeito |
|---|---|
| \`GET /v1/users/{id}/personal-data\` | mostra o que se guarda de um usuário da equipe, ou de quem saiu: cadastro, vínculo, sessões abertas e encerradas, datas do segundo fator, chaves de acesso, dispositivos confiáveis, notificações aos ADMINs que o nomeiam e registros de auditoria sobre ele e do que ele fez; em PDF como acima |
| \`POST /v1/users/{id}/erase\` | elimina os dados de quem saiu |

- Só um ADMIN pode, e não com uma chave de API. Quem ainda pertence à equipe se remove antes: até lá a resposta é 409 com
  \`user.member\`. Outra organização recebe 404.
- Sessões sem organização, o segundo fator, as chaves de acesso e os dispositivos confiáveis só se mostram de quem não pertence
  a outra organização. Segredos, códigos e senhas nunca se mostram.
- Os valores na auditoria (nome, e-mail, telefone, documento) viram \`***\`. O hash de cada registro fica no lugar deles, e um
  registro novo, \`audit.values-erased\`, sela o que ficou: a auditoria ainda prova que nada mais mudou, e o valor não volta.
- Nas notificações do uso da chave de API por ele, o e-mail e o endereço IP saem. Os e-mails aos ADMINs que o nomeiam, enviados
  ou na fila, são apagados.
- Quem pertence a outra organização fica nela: lá nada muda, e seu cadastro não é eliminado. Quem não pertence a nenhuma perde
  também o cadastro, a auditoria do próprio acesso e os e-mails a ele, enviados ou na fila. Se ele sair da última depois, repita
  o pedido.

| dado | motivo | até quando |
|---|---|---|
| endereço IP e dispositivo na auditoria | registro de acesso: Lei 12.965/2014, art. 15 | seis meses depois do acesso |
| sessões encerradas | segurança do acesso | 14 dias depois de expirarem, ou como se definiu |
| e-mails a quem pertence a outra organização | repetição do envio | 7 dias |
| o que fez, quando, e o número do usuário | prova do que foi feito: LGPD, arts. 16, I, e 37 | sem prazo |
| cadastro de abertura da conta, com nome, documento e imagens de quem a abriu | cadastro de cliente: Circular BCB 3.978/2020, art. 67, I | não é eliminado por esta rota |

O hash de registros anteriores à versão 0.16.0 não tem sal: quem lê o banco de dados e já conhece todos os outros valores de um
registro pode conferir um palpite. Nos novos isso não é possível.

## Por quanto tempo cada registro fica

Quem opera o servidor muda alguns prazos, em dias, por variáveis de ambiente; “never” é sem prazo, menos para sessões e
extratos. O que terminou é apagado uma vez por dia, aos poucos; sessões e extratos, ao vencer o prazo.

| registros | prazo | para mudar | motivo |
|---|---|---|---|
${[...SET_ROWS, ...FIXED_ROWS].join('\n')}
`
