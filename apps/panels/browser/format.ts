const MONEY = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const COUNT = new Intl.NumberFormat('pt-BR')
const DAY = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' })
const SHORT_DAY = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const INSTANT = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
})
const TODAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' })

/** Formats reais: `R$ 1.234,50`. */
export const money = (reais: number): string => MONEY.format(reais)

export const count = (number: number): string => COUNT.format(number)

/** Formats a number of things: `1 cobrança`, `1.200 cobranças`. */
export const counted = (number: number, one: string, many: string): string =>
  `${count(number)} ${number === 1 ? one : many}`

const KILO = 1_024

/** Formats the size of a file: `340 KB`, `1,2 MB`. */
export const sizeText = (bytes: number): string => {
  const kilobytes = Math.ceil(bytes / KILO)
  return kilobytes < KILO ? `${kilobytes} KB` : `${COUNT.format(Math.round((kilobytes / KILO) * 10) / 10)} MB`
}

const utc = (day: string): Date => new Date(`${day.slice(0, 10)}T00:00:00Z`)

/** Formats a day `YYYY-MM-DD`: `30/11/2030`. */
export const dayText = (day: string): string => DAY.format(utc(day))

/** `30 de nov.` */
export const shortDay = (day: string): string => SHORT_DAY.format(utc(day))

/** Formats an instant in São Paulo: `21/11/2030, 10:05`. */
export const instantText = (instant: string): string => INSTANT.format(new Date(instant))

/** Returns today in São Paulo, `YYYY-MM-DD`. */
export const today = (): string => TODAY.format(new Date())

export const addDays = (day: string, days: number): string => {
  const moved = utc(day)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** Formats a CPF or CNPJ; another text stays as it is. */
export const documentText = (document: string): string => {
  if (/^\d{11}$/.test(document)) return document.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')
  return document.replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5')
}

/** Formats an amount as people type it: `150,50`. */
export const typedMoney = (reais: number): string => reais.toFixed(2).replace('.', ',')

/** The message of an amount that is not readable. */
export const MONEY_MISTAKE = 'Escreva o valor em reais: 150,50.'
/** The message of a rate or share that is not readable. */
export const NUMBER_MISTAKE = 'Escreva um número: 2,5.'

/** Reads an amount as people type it: `1.234,50`, `1234.5`, `R$ 10`. Returns null for anything else. */
export const readMoney = (text: string): number | null => {
  const plain = text.replace(/^\s*R\$\s*/, '').trim()
  const isBrazilian = /^\d{1,3}(\.\d{3})*(,\d{1,2})?$|^\d+(,\d{1,2})?$/.test(plain)
  if (isBrazilian) return Number(plain.replaceAll('.', '').replace(',', '.'))
  return /^\d+\.\d{1,2}$/.test(plain) ? Number(plain) : null
}

/** The first whose mark a user agent contains is its browser: each later one is named by those before it, too. */
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

/** Likewise: Android names Linux, and an iPhone names Mac OS X. */
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
] as const

/** Names the browser and the system of a user agent: `Chrome em Windows`. A program is shown by its own name. */
export const deviceText = (agent: string | null): string => {
  if (agent === null || agent.trim() === '') return 'Aparelho desconhecido'
  const find = (marks: typeof BROWSERS | typeof SYSTEMS): string | undefined =>
    marks.find(([mark]) => mark.test(agent))?.[1]
  const names = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined)
  return names.length === 0 ? (agent.split(/[\s/]/)[0] ?? agent) : names.join(' em ')
}
