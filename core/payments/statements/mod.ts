/** The inputs and results of the members of `statements`, `extracts`, `cardSales` and `statistics`. */

export type { TransactionType } from '../ledger/ledger.ts'
export type {
  CardBalanceFilter,
  CardEntryFilter,
  CardSalesSum,
  CardSummary,
  CardSummaryFilter,
  CardTransactionDetail,
  CardTransactionFilter,
  CardWithdrawal,
  NewCardWithdrawal,
} from './card-sales.ts'
export type {
  AccountDays,
  BalanceDay,
  DayExtract,
  DayExtractFilter,
  Extract,
  ExtractDay,
  ExtractFilter,
  StatementDaysFilter,
} from './day-statements.ts'
export type { DayStatement, Lines, Places } from './days.ts'
export type { Balance, Balances, SummedFilter, TransactionFilter, TransactionPage, TypeSum } from './entries.ts'
export type {
  ConfirmedFilter,
  DailyReport,
  DailyRow,
  MethodSum,
  PeriodFigures,
  PeriodFilter,
  PeriodPage,
  PeriodReport,
} from './extracts.ts'
export type { Period } from './filters.ts'
export type { BoletoCounts, BoletoStatistics, Statistics, StatisticsQuery } from './statistics.ts'
export type {
  BalanceSummary,
  BalanceSummaryQuery,
  PeriodSummary,
  SalesChart,
  SalesDay,
  SalesQuery,
  Settlement,
  SettlementQuery,
  Totals,
  TotalsQuery,
  TypeSumsQuery,
} from './summaries.ts'
