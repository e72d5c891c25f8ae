/** Storage and certificates: why Health warns, on the first screen too. */
export const storageSentences = {
  ledger_unwritable:
    '未保存任何内容：无法使用 {{file}}，因为{{why}}。请腾出磁盘空间并使文件夹可写，然后重试。',
  ledger_unreadable:
    '无法读取任何内容：无法使用 {{file}}，因为{{why}}。请腾出磁盘空间并使文件夹可写，然后重试。',
  sqlite_locked: '它被锁定',
  sqlite_no_memory: '内存已耗尽',
  sqlite_read_only: '它是只读的',
  sqlite_disk_failed: '磁盘出错',
  sqlite_damaged: '它已损坏',
  sqlite_disk_full: '磁盘已满',
  sqlite_unopenable: '无法打开它',
  sqlite_no_database: '它已不是数据库',
  sqlite_locked_by_other: '另一个程序锁定了它',
  certificates_of_file: '附加证书文件 {{path}} {{why}}。',
  certificates_of_option: '附加证书{{why}}。',
  certificates_form:
    '附加证书必须是文件的绝对路径，或以“-----BEGIN CERTIFICATE-----”开头的 PEM 证书。',
  certificates_expired: '附加证书中有过期的证书：{{names}}。请更换。',
  certificate_cut: '含有被截断的证书：缺少 END 行',
  certificate_none: '不含证书：没有“-----BEGIN CERTIFICATE-----”行',
  certificate_unreadable: '无效：第 {{number}} 个证书无法读取',
  certificate_no_file: '不是文件：请填写文件的路径',
  certificate_large: '超过 {{megabytes}} MB',
  certificate_file_missing: '不存在',
  certificate_file_unreadable: '无法读取（{{problem}}）',
  certificate_of_server: '只含服务器的证书（{{subject}}）：请填写其颁发者 {{issuer}} 的证书',
  certificate_all_expired: '只含过期的证书：{{names}}',
  certificate_private_key: '含有私钥：请只填写证书',
  ledger_waits:
    '无法写入 {{path}}（{{why}}）：{{waiting}} 条记录在内存中等待，{{lost}} 条已丢失。会自动重试。',
  ledger_cannot_read: '无法读取，请查看网关的日志。',
} as const
