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
  'Clientes (legado)': 'Os mesmos clientes, com endereço e filtros.',
  Cobranças: 'Emitir e acompanhar cobranças.',
  'Grupos de cobrança': 'Em que se juntam cobranças.',
  'Planos de pagamento': 'Como um valor é cobrado em parcelas.',
  'Links de pagamento': 'Endereços em que se paga à conta.',
  Pagador: 'O que quem paga vê, sem token.',
  'Pagamento instantâneo (legado)': 'Um Pix que vence hoje, em um pedido curto.',
  Saques: 'Dinheiro que sai da conta por Pix, com o PIN dela.',
  'Saques (legado)': 'Os mesmos saques, pelo módulo de pagamento instantâneo.',
  Extratos: 'Saldo e transações da conta.',
  'Vendas no cartão': 'O que foi vendido no cartão fica ao lado do saldo até ser sacado.',
  Transferências: 'De uma conta da plataforma para outra, sem tarifa.',
  Notificações: 'O que o usuário lê no painel.',
  Webhooks: 'O que o servidor conta aos sistemas da conta, e cada entrega. Ordene os avisos pelo `timestamp` do corpo.',
  Enumerações: 'O que os códigos querem dizer, sem token.',
  Diagnóstico: 'Para ver que o servidor trabalha; não é para integrações.',
  Páginas: 'O que o navegador mostra.',
  Banco: 'O que o banco conta ao servidor; não é para integrações.',
  'Banco de mentira': 'O painel do banco embutido, para testar: paga, recusa e falha quando se pede.',
}

/** What is said of the payments API beside its rows. */
export const documentation: ApiDocs = {
  areas,
  parameters: { id: 'Identificador', txid: 'Identificador do Pix' },
  webhooks: webhookEvents,
}
