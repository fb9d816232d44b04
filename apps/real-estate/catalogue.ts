import { KEY_LIFE_SECONDS, MAX_KEY_CHARS } from '../../core/office/idempotency-keys.ts'
import { fillPlaceholders } from '../http/pages/placeholders.ts'
import type { ApiDocs } from '../http/rows/api.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { accessRows } from './access.ts'
import { brokerRows } from './brokers.ts'
import { clientRows } from './clients.ts'
import { commissionRows } from './commissions.ts'
import { condominiumRows } from './condominiums.ts'
import { contractRows } from './contracts.ts'
import { dashboardRow } from './dashboard.ts'
import { fileRows } from './files.ts'
import AUTHENTICATION from './guides/authentication.md'
import ERRORS from './guides/errors.md'
import FIRST_RENT from './guides/first-rent.md'
import GETTING_STARTED from './guides/getting-started.md'
import IDEMPOTENCY from './guides/idempotency.md'
import NOTIFICATIONS from './guides/notifications.md'
import PAGINATION from './guides/pagination.md'
import PRODUCTION from './guides/production.md'
import TOKEN_OF_ISSUER from './guides/token-of-issuer.md'
import TOKEN_OF_PROVIDER from './guides/token-of-provider.md'
import { importRows } from './imports.ts'
import { notificationRows } from './notifications.ts'
import { ownerRows } from './owners.ts'
import { paymentRows } from './payments.ts'
import { propertyRows } from './properties.ts'
import { proposalRows } from './proposals.ts'
import { visitRows } from './visits.ts'

/** The routes of the real-estate API, in the order of its documentation. */
export const rows: readonly AnyRow[] = [
  ...accessRows,
  ...propertyRows,
  ...clientRows,
  ...importRows,
  ...contractRows,
  ...proposalRows,
  ...paymentRows,
  ...ownerRows,
  ...commissionRows,
  dashboardRow,
  ...visitRows,
  ...notificationRows,
  ...fileRows,
  ...condominiumRows,
  ...brokerRows,
]

/** The areas under which routes are documented, and the parameters of paths. */
export const documentation: ApiDocs = {
  areas: {
    Autenticação: 'Quem é quem: o provedor de identidade autentica, e aqui se diz em que imobiliária e com que papel.',
    Convites: 'Os e-mails que a administração convida para a equipe da imobiliária.',
    Imóveis: 'O que se aluga ou vende: preços, situação e o histórico dela.',
    Clientes: 'Quem procura, aluga, compra ou é dono de imóveis.',
    Comissões: 'O que os corretores ganham pelos contratos.',
    'Emissor de desenvolvimento':
      'Contas para experimentar sem provedor de identidade, pelas chamadas do Firebase Authentication. Não existe em produção.',
    Contratos: 'O que se combinou sobre imóveis: locação, venda e administração.',
    Proprietários: 'O que a imobiliária presta de contas aos donos dos imóveis.',
    Pagamentos: 'O que se deve pelos contratos, e o que foi pago.',
    Imobiliária: 'A conta em que os pagamentos da imobiliária são recebidos.',
    Condomínios: 'Os prédios de que imóveis são unidades, e o rateio de suas despesas.',
    Corretores: 'Quem mostra imóveis e fecha contratos, com seus resultados.',
    Propostas: 'O que clientes oferecem por imóveis, da análise à conversão em contrato.',
    Painel: 'Os números da imobiliária.',
    Visitas: 'Quando um corretor mostra um imóvel a um cliente.',
    Notificações: 'O que se conta a cada usuário: na lista, na hora em que acontece e no espelho do provedor.',
    Arquivos: 'O que se sabe de arquivos que estão no armazenamento do provedor de identidade.',
  },
  parameters: { id: 'Identificador' },
}

const GUIDES = [
  GETTING_STARTED,
  AUTHENTICATION,
  FIRST_RENT,
  NOTIFICATIONS,
  ERRORS,
  IDEMPOTENCY,
  PAGINATION,
  PRODUCTION,
].join('\n')

/**
 * Returns the guides of the real-estate API in Markdown, one top heading a guide, in the order of an integration. Their
 * commands run one after the other in one shell, against the server at `url`; without the development issuer the reader
 * sets `TOKEN` and `USUARIO`.
 */
export const guidesOf = (url: string, hasIssuer: boolean): string =>
  fillPlaceholders(GUIDES, {
    URL: url,
    TOKEN_STEP: hasIssuer ? fillPlaceholders(TOKEN_OF_ISSUER, { URL: url }) : TOKEN_OF_PROVIDER,
    KEY_MAX_CHARS: MAX_KEY_CHARS,
    KEY_LIFE_HOURS: KEY_LIFE_SECONDS / 3_600,
  })
