// Runs alone.
import test from 'ava'
import { rows } from '../../../../apps/payments/catalogue.ts'
import { roleOf } from '../../../../core/payments/payments-ports.ts'
import { hasBrowser, oneBrowser, painted } from '../../browser.ts'
import { PASSWORD, worked } from '../test-api.ts'
import { signedIn } from './at-the-panel.ts'

/** The roles of people, an ADMIN first: its member prepares the records. */
const ROLES = [1, 2, 3, 4]

/** The offers of each view, by the row that each leads to. `ID` stands for the record of the view. */
const OFFERS: Readonly<Record<string, Readonly<Record<string, readonly [role: 'button' | 'link', name: string]>>>> = {
  '#/': {
    'charges.list': ['link', 'Cobranças'],
    'links.list': ['link', 'Links'],
    'clients.list': ['link', 'Clientes'],
    'consolidation.transactions': ['link', 'Extrato'],
    'recipients.list': ['link', 'Saques'],
  },
  '#/cobrancas': { 'charges.issue': ['link', 'Nova cobrança'], 'charges.export': ['button', 'Baixar em CSV'] },
  '#/cobrancas/nova': { 'charges.issue': ['button', 'Emitir cobrança'] },
  '#/cobrancas/ID': {
    'charges.download-pdf': ['button', 'Baixar PDF'],
    'charges.update': ['button', 'Alterar'],
    'charges.notify': ['button', 'Enviar'],
    'charges.delete': ['button', 'Apagar'],
  },
  '#/links': { 'links.create': ['link', 'Novo link'] },
  '#/links/novo': { 'links.create': ['button', 'Criar link'] },
  '#/links/ID': { 'links.pause': ['button', 'Pausar'], 'links.remove': ['button', 'Encerrar'] },
  '#/clientes': { 'clients.create': ['link', 'Novo cliente'] },
  '#/clientes/ID': {
    'clients.update': ['button', 'Salvar'],
    'clients.personal-data': ['button', 'Baixar em PDF'],
    'clients.erase': ['button', 'Eliminar dados pessoais'],
  },
  '#/saques': { 'recipients.start': ['link', 'Sacar por Pix'], 'recipients.add': ['button', 'Adicionar destinatário'] },
  '#/saques/novo': { 'recipients.start': ['button', 'Consultar chave'] },
  '#/transferencias': { 'transfers.send': ['button', 'Transferir'] },
  '#/cartao': { 'card-sales.withdraw': ['button', 'Passar ao saldo'] },
  '#/extrato': {},
  '#/desenvolvedores': {
    'account-settings.secrets': ['button', 'Mostrar chave e segredo'],
    'account-settings.replace-key': ['button', 'Trocar chave'],
    'account.update': ['button', 'Salvar endereço'],
    'api-keys.create': ['button', 'Criar chave'],
    'charges.simulate-payment': ['button', 'Preparar falha'],
  },
  '#/configuracoes': {
    'account.update': ['button', 'Salvar avisos'],
    'account-settings.preview-message': ['button', 'Prévia da mensagem: Antes do vencimento'],
    'manager-users.create': ['button', 'Adicionar à equipe'],
    'split-receivers.create': ['button', 'Criar chave para receber'],
    'users.reset-second-factor': ['button', 'Retirar segundo fator de João Lima'],
  },
}

/** The preview of a message is for those who may change it, too: its form is under the PIN of the account. */
const ALSO: Readonly<Record<string, string>> = { 'account-settings.preview-message': 'account.update' }

/** Reports whether the API lets a role use a row. */
const mayUse = (role: number, name: string): boolean => {
  const row = rows.find((each) => each.name === name)
  if (row?.permission === undefined) throw new Error(`${name} is no row with a permission`)
  const isAllowed = roleOf(role).permissions.some((each) => each === row.permission)
  const also = ALSO[name]
  return isAllowed && (also === undefined || mayUse(role, also))
}

if (hasBrowser(test)) {
  const open = oneBrowser(test)

  test.serial('the panel offers to each role exactly the permitted actions, and requests nothing else', async (t) => {
    const ids = new Map<string, unknown>()
    const { page, api, merchant, goTo } = await signedIn(t, open, {
      prepare: async (api, merchant) => {
        const { token } = merchant
        await api.fund(merchant)
        const member = { name: 'João Lima', email: 'joao@aurora.example', password: PASSWORD }
        worked(await api.ask('POST', '/v1/users', { token, body: { ...member, password_confirmation: PASSWORD } }))
        const { id, client } = await api.charge(merchant)
        const body = { title: 'Camiseta', amount: 50, payment_methods: ['PIX'] }
        const link = worked(await api.ask('POST', '/billing/payment-links', { token, body })).data
        for (const [view, record] of Object.entries({ cobrancas: id, links: link.id, clientes: client.id }))
          ids.set(view, record)
      },
    })
    const refused: string[] = []
    page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()))
    for (const role of ROLES) {
      await api.setRole(merchant, role)
      await page.reload()
      await page.getByRole('button', { name: 'Sair', exact: true }).waitFor()
      refused.length = 0
      for (const [view, offers] of Object.entries(OFFERS)) {
        await goTo(view.replace('ID', `${ids.get(view.split('/')[1] ?? '')}`))
        await page.evaluate(painted)
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
        await page.evaluate(painted)
        for (const [row, [kind, name]] of Object.entries(offers)) {
          const isOffered = (await page.getByRole(kind, { name, exact: true }).count()) > 0
          t.is(isOffered, mayUse(role, row), `role ${role} at ${view}: ${name}`)
        }
      }
      t.deepEqual(refused, [], `role ${role}`)
    }
  })
}
