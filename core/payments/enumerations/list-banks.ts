import { right } from '../../failure.ts'
import { type DecodedOf, type InputOf, id, input, inQuery, nullable, output, view } from '../../kernel/input/mod.ts'
import { searchTexts } from '../../kernel/resources/queries.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { fold } from '../../kernel/values/text.ts'
import { bankByCode, bankByIspb, banks, type ListedBank } from '../banks.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

export const bankFilter = input('BankFilter', {
  ispb: inQuery.text({ about: 'ISPB, exato; zeros à esquerda são opcionais' }),
  code: inQuery.text({ about: 'Código COMPE, exato; zeros à esquerda são opcionais' }),
  name: inQuery.text({ about: 'Parte do nome' }),
  fullName: inQuery.text({ wire: 'fullName', about: 'Parte do nome completo' }),
  search: inQuery.text({ about: 'Parte do nome, do nome completo, do código ou do ISPB' }),
})

export type BankFilter = InputOf<typeof bankFilter>

const contains = (text: string | null, part: string): boolean => text !== null && fold(text).includes(fold(part))

const matches = ({ ispb, code, name, fullName, search }: DecodedOf<typeof bankFilter>, bank: ListedBank): boolean =>
  (ispb === undefined || bankByIspb(ispb.toUpperCase()) === bank) &&
  (code === undefined || bankByCode(code) === bank) &&
  (name === undefined || contains(bank.name, name)) &&
  (fullName === undefined || contains(bank.fullName, fullName)) &&
  (search === undefined ||
    searchTexts(search).some((part) =>
      [bank.name, bank.fullName, bank.code, bank.ispb].some((text) => contains(text, part)),
    ))

export const listBanks =
  (ports: Pick<PaymentsPorts, 'clock'>) =>
  (filter: BankFilter = {}) =>
    withValidInput(ports, bankFilter, filter, (decoded) =>
      useCaseOf<readonly ListedBank[]>()(async () => right(banks.filter((bank) => matches(decoded, bank)))),
    )

export const bankView = view(
  'Bank',
  {
    id: id({ about: 'Identificador' }),
    ispb: output.text({ about: 'ISPB' }),
    code: nullable(output.text({ about: 'Código COMPE, de 3 dígitos' })),
    name: output.text({ about: 'Nome' }),
    fullName: output.text({ about: 'Nome completo' }),
  },
  (bank: ListedBank) => bank,
)
