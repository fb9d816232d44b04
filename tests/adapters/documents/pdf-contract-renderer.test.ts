import test from 'ava'
import { pdfContractRenderer } from '../../../adapters/documents/pdf-contract-renderer.ts'
import type { PrintedContract } from '../../../core/ports/documents.ts'
import { characterEdges, pagesOf, textOf } from './printed-page.ts'

/** Reads facts, each in a line of its own. */
const factsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(': '))
    .map(([label = '', value = '']) => [label, value] as const)

const PARTIES = factsOf(`
  Locador: José Antônio Prado
  CPF/CNPJ: 123.456.789-09
  E-mail: jose@example.com
  Locatário: Maria da Silva
  CPF/CNPJ: 111.444.777-35
  E-mail: maria@example.com
  Corretor: Bruno Lima
  CRECI: CRECI-SP 123456
`)
const PROPERTY = factsOf(`
  Código: AP-101
  Tipo: Apartamento
  Endereço: Rua das Flores, 100, ap. 12, Centro, São Paulo/SP, CEP 01310-100
`)
const TERMS = factsOf(`
  Situação: Ativo
  Vigência: 01/12/2026 a 31/05/2029
  Valor: R$ 2.500,00
  Vencimento: dia 10
  Reajuste: IGP-M, a cada doze meses
  Multa por atraso: 10%
  Juros por atraso: 1% ao mês
  Desconto até o vencimento: R$ 50,00
  Taxa de administração: 8,5%
  Multa por rescisão: R$ 7.500,00, proporcional ao tempo que falta
`)

const usual: PrintedContract = {
  id: '3f2b8c1e-5d0a-4f6b-8a3c-000000000040',
  title: 'Contrato de locação',
  agency: { name: 'Aurora Imóveis Ltda', document: '11.222.333/0001-81' },
  sections: [
    { title: 'Partes', facts: PARTIES },
    { title: 'Imóvel', facts: PROPERTY },
    { title: 'Condições', facts: TERMS },
    { title: 'Períodos anteriores', facts: factsOf('01/06/2024 a 30/11/2026: R$ 2.300,00') },
  ],
  signers: [
    { role: 'Locador', name: 'José Antônio Prado' },
    { role: 'Locatário', name: 'Maria da Silva' },
  ],
  updatedAt: '2026-11-23T13:05:09.123Z',
  fingerprint: '0123456789abcdef0123456789abcdef',
}

test('draws all facts of a contract on one page', async (t) => {
  const pdf = await pdfContractRenderer.contractPdf(usual)
  t.is(pagesOf(pdf), 1)
  const text = textOf(pdf)
  for (const { title, facts } of usual.sections) {
    t.true(text.includes(title), title)
    for (const each of facts.flat()) t.true(text.includes(each), each)
  }
  for (const fact of ['Aurora Imóveis Ltda', 'CNPJ 11.222.333/0001-81', usual.id, usual.fingerprint])
    t.true(text.includes(fact), fact)
})

test('draws no text of a contract in the space for signatures', async (t) => {
  const edges = characterEdges(await pdfContractRenderer.contractPdf(usual))
  const inSignatures = edges.filter(([, top]) => top > 712 && top < 748)
  t.deepEqual(inSignatures, [])
})

test('draws the same bytes for the same contract', async (t) => {
  t.deepEqual(await pdfContractRenderer.contractPdf(usual), await pdfContractRenderer.contractPdf(usual))
})
