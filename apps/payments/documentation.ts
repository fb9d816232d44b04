import type { ApiDocs } from '../http/rows/api.ts'
import { webhookEvents } from './webhooks/webhook-events.ts'

const areas: Readonly<Record<string, string>> = {
  Autenticação: 'Cadastro, entrada, renovação do token e códigos por e-mail.',
  'Autenticação (legado)': 'A entrada de antes de `/v1/auth`.',
  Sessões: 'Onde o usuário está conectado.',
  Organizações: 'Cada organização tem uma conta de pagamentos.',
  Usuários: 'Quem trabalha na organização.',
  'Usuários da conta (legado)': 'Os mesmos usuários, pelo vínculo com a conta.',
  'Usuários de API (legado)': 'Programas que agem na conta.',
  'Abertura de conta (legado)': 'Do pedido à conta aberta no banco.',
  Conta: 'A conta ativa: dados, configurações, PIN e chave de API.',
  Clientes: 'Quem paga as cobranças.',
  Cobranças: 'Emitir e acompanhar cobranças.',
  Pagador: 'O que quem paga vê, sem token.',
  Extratos: 'Saldo e transações da conta.',
  Notificações: 'O que o usuário lê no painel.',
  Webhooks: 'O que o servidor conta aos sistemas da conta, e cada entrega.',
  Páginas: 'O que o navegador mostra.',
  'Banco de mentira': 'O painel do banco embutido, para testar: paga, recusa e falha quando se pede.',
}

/** What is said of the payments API beside its rows. */
export const documentation: ApiDocs = {
  areas,
  parameters: { id: 'Identificador', txid: 'Identificador do Pix' },
  webhooks: webhookEvents,
}
