/* SPDX-License-Identifier: MIT */
/* sqlviews.c - the views of a database, see sqlschema.h; doc/sql.md tells what they are for. Columns are named one by one, not by *, as recorder sql fills in what is named. */
#include <stddef.h>

#include "sqlschema.h"

/* clang-format off */
/* The kernel's calls count where the process has none of its own: they are those of libc then. Streams that are aside: see struct reader_stream. */
#define ASIDE "(SELECT id FROM streams WHERE aside)"
#define HEIGHT_OF_R \
	"CASE r.layer WHEN 'posix' THEN 0 WHEN 'stdio' THEN 0 WHEN 'mpiio' THEN 1\n" \
	"WHEN 'kernel' THEN CASE WHEN r.stream IN " ASIDE " THEN 3 ELSE 0 END ELSE 2 END"
#define STORAGE(r) \
	"(" r "layer IN ('posix', 'stdio', 'mpiio', 'hdf5', 'netcdf', 'pnetcdf')\n" \
	"OR " r "layer = 'kernel' AND " r "stream NOT IN " ASIDE ")"
/* How many ranks each job has. */
#define JOBS "j AS (SELECT world, count(DISTINCT rank) AS ranks FROM streams WHERE main GROUP BY world)"

const struct sql_view sql_views[] = {
	{"calls",
	 "SELECT r.*, f.path, f.class, c.place, m.name AS comm_name, s.host, s.pid, s.main\n"
	 "FROM records r LEFT JOIN files f ON f.id = r.file LEFT JOIN callsites c ON c.id = r.callsite\n"
	 "LEFT JOIN comms m ON m.id = r.comm LEFT JOIN streams s ON s.id = r.stream"},
	{"transfers",
	 "SELECT r.id, r.parent, r.stream, r.world, r.rank, r.tid, r.thread, r.level, r.layer, r.function,\n"
	 "CASE r.operation WHEN 'copy' THEN 'read' ELSE r.operation END AS operation, r.tstart,\n"
	 "r.tend, r.duration, r.self, r.calls, r.file, r.bytes, r.offset, f.path, f.class, f.fs, f.mount FROM records r JOIN files f ON f.id = r.file\n"
	 "WHERE r.bytes IS NOT NULL AND r.operation IN ('read', 'write', 'copy')\n"
	 "AND f.lowest = " HEIGHT_OF_R "\n"
	 "UNION ALL SELECT r.id, r.parent, r.stream, r.world, r.rank, r.tid, r.thread, r.level, r.layer, r.function, 'write', r.tstart,\n"
	 "r.tend, r.duration, r.self, r.calls, r.to_file, r.bytes, r.to_offset, f.path, f.class, f.fs, f.mount FROM records r JOIN files f ON f.id = r.to_file\n"
	 "WHERE r.bytes IS NOT NULL AND f.lowest = " HEIGHT_OF_R},
	{"missing",
	 "SELECT 'lost' AS what, s.world, s.rank, l.stream, l.records, l.reason AS text\n"
	 "FROM losses l JOIN streams s ON s.id = l.stream\n"
	 "UNION ALL SELECT 'unreadable', world, rank, id, unreadable, reason FROM streams WHERE unreadable > 0\n"
	 "UNION ALL SELECT state, world, rank, id, NULL, reason FROM streams WHERE state <> 'clean'\n"
	 "UNION ALL SELECT 'absent', world, first, NULL, NULL, 'ranks ' || first || ' to ' || last FROM absent\n"
	 "UNION ALL SELECT 'problem', NULL, NULL, NULL, NULL, text FROM problems\n"
	 "UNION ALL SELECT 'filter', NULL, NULL, NULL, NULL, value FROM trace WHERE name = 'filter' AND value IS NOT NULL"},
	{"layer_time",
	 "SELECT layer, sum(calls) AS calls, sum(duration) / 1e9 AS time_s, sum(self) / 1e9 AS self_s,\n"
	 "round(100.0 * sum(self) / (SELECT sum(self) FROM records), 2) AS percent\n"
	 "FROM records GROUP BY layer ORDER BY sum(self) DESC"},
	{"function_time",
	 "SELECT layer, function, operation, sum(calls) AS calls, sum(duration) / 1e9 AS time_s, sum(self) / 1e9 AS self_s,\n"
	 "round(sum(duration) / 1e3 / sum(calls), 3) AS mean_us, max(duration / calls) / 1e3 AS most_us, sum(bytes) AS bytes,\n"
	 "count(errno) AS failed\n"
	 "FROM records GROUP BY layer, function ORDER BY sum(self) DESC"},
	{"rank_time",
	 "WITH t AS (SELECT world, rank, sum(calls) AS calls, sum(self) AS self,\n"
	 "sum(CASE WHEN " STORAGE("") " THEN self ELSE 0 END) AS io,\n"
	 "sum(CASE WHEN layer = 'mpi' THEN self ELSE 0 END) AS mpi FROM records GROUP BY world, rank),\n"
	 "b AS (SELECT world, rank, sum(CASE WHEN operation = 'read' THEN bytes END) AS bytes_read,\n"
	 "sum(CASE WHEN operation = 'write' THEN bytes END) AS bytes_written FROM transfers GROUP BY world, rank),\n"
	 "s AS (SELECT world, rank, min(start) AS start, max(\"end\") AS \"end\", count(*) AS processes FROM streams\n"
	 "GROUP BY world, rank)\n"
	 "SELECT t.world, t.rank, s.processes, (s.\"end\" - s.start) / 1e9 AS wall_s, t.calls, t.self / 1e9 AS self_s,\n"
	 "t.io / 1e9 AS io_s, t.mpi / 1e9 AS mpi_s, (t.self - t.io - t.mpi) / 1e9 AS other_s,\n"
	 "coalesce(b.bytes_read, 0) AS bytes_read, coalesce(b.bytes_written, 0) AS bytes_written,\n"
	 "round(100.0 * t.io / nullif(avg(t.io) OVER (), 0) - 100, 2) AS io_percent_off,\n"
	 "round(100.0 * t.mpi / nullif(avg(t.mpi) OVER (), 0) - 100, 2) AS mpi_percent_off\n"
	 "FROM t JOIN s USING (world, rank) LEFT JOIN b USING (world, rank) ORDER BY t.world, t.rank"},
	{"io_time",
	 "WITH i AS (SELECT stream, tstart, tend, max(tend) OVER (PARTITION BY stream ORDER BY tstart, id\n"
	 "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM records WHERE " STORAGE("") "),\n"
	 "u AS (SELECT stream, sum(max(0, tend - max(tstart, coalesce(before, tstart)))) AS busy FROM i GROUP BY stream)\n"
	 "SELECT u.stream, s.world, s.rank, s.pid, u.busy / 1e9 AS io_s, (s.\"end\" - s.start) / 1e9 AS wall_s,\n"
	 "round(100.0 * u.busy / nullif(s.\"end\" - s.start, 0), 2) AS percent\n"
	 "FROM u JOIN streams s ON s.id = u.stream ORDER BY u.busy DESC"},
	{"bandwidth",
	 "SELECT tend / 1000000000 AS second, fs, mount, sum(CASE WHEN operation = 'read' THEN calls ELSE 0 END) AS reads,\n"
	 "sum(CASE WHEN operation = 'read' THEN bytes ELSE 0 END) AS bytes_read,\n"
	 "sum(CASE WHEN operation = 'write' THEN calls ELSE 0 END) AS writes,\n"
	 "sum(CASE WHEN operation = 'write' THEN bytes ELSE 0 END) AS bytes_written\n"
	 "FROM transfers GROUP BY 1, 2, 3 ORDER BY 1, 3"},
	{"access_sizes",
	 "WITH a AS (SELECT layer, operation, calls, bytes, bytes / calls AS size FROM records\n"
	 "WHERE operation IN ('read', 'write') AND bytes IS NOT NULL)\n"
	 "SELECT layer, operation, CASE WHEN size < 100 THEN '0-100' WHEN size < 1000 THEN '100-1K' WHEN size < 10000 THEN '1K-10K'\n"
	 "WHEN size < 100000 THEN '10K-100K' WHEN size < 1000000 THEN '100K-1M' WHEN size < 4000000 THEN '1M-4M'\n"
	 "WHEN size < 10000000 THEN '4M-10M' WHEN size < 100000000 THEN '10M-100M' WHEN size < 1000000000 THEN '100M-1G'\n"
	 "ELSE '1G+' END AS size, sum(calls) AS calls, sum(bytes) AS bytes\n"
	 "FROM a GROUP BY 1, 2, 3 ORDER BY 1, 2, min(a.size)"},
	/* of a run of characters each is where it is, of other calls that are one record all are where the first is */
	{"small_accesses",
	 "SELECT operation, path, class, sum(calls) AS calls, sum(CASE WHEN bytes / calls < 4096 THEN calls ELSE 0 END) AS small,\n"
	 "round(100.0 * sum(CASE WHEN bytes / calls < 4096 THEN calls ELSE 0 END) / sum(calls), 2) AS percent,\n"
	 "sum(CASE WHEN offset IS NOT NULL THEN calls ELSE 0 END) AS with_offset,\n"
	 "sum(CASE WHEN bytes = calls THEN calls - (offset + calls - 1) / 4096 + (offset + 4095) / 4096 - 1\n"
	 "WHEN offset % 4096 <> 0 THEN calls ELSE 0 END) AS unaligned\n"
	 "FROM transfers GROUP BY operation, file ORDER BY small DESC, path, operation"},
	{"small_reads",
	 "SELECT path, class, calls, small, percent, with_offset, unaligned FROM small_accesses WHERE operation = 'read'\n"
	 "ORDER BY small DESC, path"},
	{"access_order",
	 "WITH o AS (SELECT path, class, file, world, rank, operation, offset, lag(offset + bytes) OVER (PARTITION BY stream, file, operation\n"
	 "ORDER BY tstart, id) AS expected FROM transfers WHERE offset IS NOT NULL)\n"
	 "SELECT operation, path, class, world, rank, count(*) AS calls, count(expected) AS compared, sum(offset = expected) AS consecutive,\n"
	 "sum(offset > expected) AS forward, sum(offset < expected) AS backward\n"
	 "FROM o GROUP BY operation, file, world, rank ORDER BY file, world, rank"},
	{"file_use",
	 "WITH " JOBS ",\n"
	 "w AS (SELECT file, max(t.ranks) AS ranks, max(moving_ranks) AS moving_ranks, max(moving_ranks = j.ranks) AS moved_by_all\n"
	 "FROM (SELECT file, world, count(DISTINCT rank) AS ranks, count(DISTINCT CASE WHEN bytes > 0\n"
	 "AND operation IN ('read', 'write', 'copy') THEN rank END) AS moving_ranks\n"
	 "FROM (SELECT file, world, rank, bytes, operation FROM records WHERE file IS NOT NULL\n"
	 "UNION ALL SELECT to_file, world, rank, bytes, operation FROM records WHERE to_file IS NOT NULL)\n"
	 "GROUP BY file, world) t LEFT JOIN j USING (world) GROUP BY file),\n"
	 "a AS (SELECT r.file, CASE r.operation WHEN 'copy' THEN 'read' ELSE r.operation END AS operation, r.errno, r.calls, r.bytes, r.duration,\n"
	 "r.tstart, r.tend FROM records r JOIN files f ON f.id = r.file WHERE f.lowest IS NULL OR f.lowest = " HEIGHT_OF_R "\n"
	 "UNION ALL SELECT r.to_file, 'write', r.errno, r.calls, r.bytes, r.duration, r.tstart, r.tend FROM records r\n"
	 "JOIN files f ON f.id = r.to_file WHERE f.lowest IS NULL OR f.lowest = " HEIGHT_OF_R "),\n"
	 "u AS (SELECT file, sum(CASE WHEN operation = 'open' AND errno IS NULL THEN calls ELSE 0 END) AS opens,\n"
	 "sum(CASE WHEN operation = 'read' THEN calls ELSE 0 END) AS reads,\n"
	 "sum(CASE WHEN operation = 'write' THEN calls ELSE 0 END) AS writes,\n"
	 "sum(CASE WHEN operation IN ('open', 'close', 'seek', 'sync', 'metadata') THEN calls ELSE 0 END) AS metadata,\n"
	 "sum(CASE WHEN operation = 'read' THEN bytes ELSE 0 END) AS bytes_read,\n"
	 "sum(CASE WHEN operation = 'write' THEN bytes ELSE 0 END) AS bytes_written, sum(duration) AS time,\n"
	 "min(tstart) AS first, max(tend) AS last FROM a GROUP BY file)\n"
	 "SELECT u.file, f.path, f.class, f.fs, w.ranks, w.moving_ranks, CASE WHEN w.moving_ranks = 0 THEN NULL\n"
	 "WHEN w.moving_ranks = 1 THEN 'one rank' WHEN w.moved_by_all\n"
	 "THEN 'all ranks' ELSE 'some ranks' END AS shared_by, u.opens, u.reads, u.writes, u.metadata, u.bytes_read, u.bytes_written,\n"
	 "u.time / 1e9 AS time_s, u.first / 1e9 AS first_s, u.last / 1e9 AS last_s\n"
	 "FROM u JOIN files f ON f.id = u.file JOIN w ON w.file = u.file ORDER BY u.time DESC"},
	{"files_shown",
	 "SELECT path, class, shared_by, opens, reads, writes, metadata, bytes_read, bytes_written, time_s FROM (\n"
	 "SELECT 0 AS rest, path, class, shared_by, opens, reads, writes, metadata, bytes_read, bytes_written, time_s\n"
	 "FROM file_use WHERE class = 'data'\n"
	 "UNION ALL SELECT 1, count(*) || ' of other classes', NULL, NULL, sum(opens), sum(reads), sum(writes), sum(metadata),\n"
	 "sum(bytes_read), sum(bytes_written), sum(time_s) FROM file_use WHERE class <> 'data' HAVING count(*) > 0)\n"
	 "ORDER BY rest, time_s DESC, path"},
	{"sharing",
	 "WITH " JOBS ",\n"
	 "o AS (SELECT coalesce(max(owners > 1 AND owners = j.ranks), 0) AS of_all\n"
	 "FROM (SELECT t.world, count(DISTINCT t.rank) AS owners FROM transfers t JOIN file_use u ON u.file = t.file\n"
	 "WHERE u.class = 'data' AND u.shared_by = 'one rank' AND t.bytes > 0 GROUP BY t.world) LEFT JOIN j USING (world))\n"
	 "SELECT CASE shared_by WHEN 'all ranks' THEN 'N-1' WHEN 'some ranks' THEN 'N-M' ELSE CASE WHEN o.of_all THEN 'N-N'\n"
	 "ELSE '1-1' END END AS pattern,\n"
	 "shared_by, count(*) AS files, sum(bytes_read) AS bytes_read, sum(bytes_written) AS bytes_written, round(sum(time_s), 9) AS time_s\n"
	 "FROM file_use, o WHERE class = 'data' AND shared_by IS NOT NULL GROUP BY shared_by ORDER BY sum(time_s) DESC"},
	{"layer_translation",
	 "SELECT p.layer AS upper_layer, p.function AS upper, c.layer AS lower_layer, c.function AS lower,\n"
	 "count(DISTINCT p.id) AS upper_calls, sum(c.calls) AS lower_calls, sum(c.bytes) AS lower_bytes,\n"
	 "sum(c.duration) / 1e9 AS lower_s\n"
	 "FROM records c JOIN records p ON p.id = c.parent GROUP BY 1, 2, 3, 4 ORDER BY sum(c.duration) DESC"},
	{"collective_buffering",
	 "WITH d AS (SELECT parent, sum(calls) AS calls, sum(bytes) AS bytes FROM records WHERE parent IS NOT NULL\n"
	 "AND layer = 'posix' AND operation IN ('read', 'write') AND bytes > 0 GROUP BY parent)\n"
	 "SELECT u.function, f.path, count(DISTINCT u.world || ':' || u.rank) AS ranks,\n"
	 "count(DISTINCT CASE WHEN d.parent IS NOT NULL THEN u.world || ':' || u.rank END) AS moving_ranks,\n"
	 "sum(u.calls) AS calls, sum(u.bytes) AS bytes, coalesce(sum(d.calls), 0) AS posix_calls,\n"
	 "coalesce(sum(d.bytes), 0) AS posix_bytes, round(1.0 * sum(d.bytes) / nullif(sum(u.bytes), 0), 3) AS amplification\n"
	 "FROM records u LEFT JOIN d ON d.parent = u.id LEFT JOIN files f ON f.id = u.file\n"
	 "WHERE u.layer = 'mpiio' AND u.operation IN ('read', 'write') GROUP BY u.function, u.file ORDER BY sum(u.duration) DESC"},
	{"metadata_calls",
	 "SELECT r.world, r.rank, r.layer, r.function, sum(r.calls) AS calls, count(r.errno) AS failed,\n"
	 "count(DISTINCT r.file) AS files, sum(r.self) / 1e9 AS self_s\n"
	 "FROM records r WHERE r.operation IN ('open', 'close', 'metadata') AND " STORAGE("r.") "\n"
	 "GROUP BY r.world, r.rank, r.layer, r.function ORDER BY sum(r.calls) DESC, r.world, r.rank, r.function"},
	{"metadata_folders",
	 "SELECT rtrim(f.path, replace(f.path, '/', '')) AS folder, sum(r.calls) AS calls, count(r.errno) AS failed,\n"
	 "count(DISTINCT r.file) AS files, count(DISTINCT r.world || ':' || r.rank) AS ranks, sum(r.self) / 1e9 AS self_s\n"
	 "FROM records r JOIN files f ON f.id = r.file WHERE r.operation IN ('open', 'close', 'metadata')\n"
	 "AND " STORAGE("r.") "\n"
	 "AND f.path GLOB '/*' GROUP BY 1 ORDER BY 2 DESC, 1"},
	{"errors",
	 "SELECT r.layer, r.function, r.errno, sum(r.calls) AS calls, count(DISTINCT r.world || ':' || r.rank) AS ranks,\n"
	 "sum(r.duration) / 1e9 AS time_s, count(DISTINCT r.file) AS files, min(f.path) AS example\n"
	 "FROM records r LEFT JOIN files f ON f.id = r.file WHERE r.errno IS NOT NULL\n"
	 "GROUP BY r.layer, r.function, r.errno ORDER BY sum(r.calls) DESC, r.function, r.errno"},
	{"bursts",
	 "WITH gap AS (SELECT max(1000000, value / 100) AS ns FROM trace WHERE name = 'duration'),\n"
	 "w AS (SELECT id, world, rank, file, tstart, tend, bytes, calls, max(tend) OVER (ORDER BY tstart, id\n"
	 "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM transfers WHERE operation = 'write' AND class = 'data'),\n"
	 "n AS (SELECT w.*, sum(before IS NULL OR tstart - before > ns) OVER (ORDER BY tstart, id ROWS UNBOUNDED PRECEDING)\n"
	 "AS number FROM w, gap)\n"
	 "SELECT number, min(tstart) / 1e9 AS begin_s, (max(tend) - min(tstart)) / 1e9 AS lasted_s, sum(bytes) AS bytes,\n"
	 "sum(calls) AS writes, count(DISTINCT world || ':' || rank) AS ranks, count(DISTINCT file) AS files,\n"
	 "round(sum(bytes) * 1e3 / nullif(max(tend) - min(tstart), 0), 3) AS mb_per_s,\n"
	 "(min(tstart) - lag(min(tstart)) OVER (ORDER BY number)) / 1e9 AS period_s FROM n GROUP BY number ORDER BY number"},
	{"phases",
	 "WITH l AS (SELECT DISTINCT layer, name FROM functions WHERE layer = 'user' AND (name GLOB '*.fetch' OR name GLOB '*.iter'\n"
	 "OR lower(category) IN ('dataloader', 'data_loader')) OR layer = 'python' AND name GLOB '*DataLoaderIter.__next__'),\n"
	 "t AS MATERIALIZED (SELECT id, sum(CASE WHEN operation = 'read' THEN bytes END) AS bytes_read,\n"
	 "sum(CASE WHEN operation = 'write' THEN bytes END) AS bytes_written FROM transfers GROUP BY id)\n"
	 "SELECT r.epoch, r.step, r.world, r.rank, r.stream, min(r.tstart) / 1e9 AS begin_s, max(r.tend) / 1e9 AS end_s,\n"
	 "sum(r.calls) AS calls, count(r.errno) AS failed,\n"
	 "sum(CASE WHEN " STORAGE("r.") " THEN r.self ELSE 0 END) / 1e9 AS io_s,\n"
	 "sum(CASE WHEN r.layer = 'mpi' THEN r.self ELSE 0 END) / 1e9 AS mpi_s,\n"
	 "sum(CASE WHEN (r.layer, r.function) IN l AND (p.id IS NULL OR (p.layer, p.function) NOT IN l) THEN r.duration ELSE 0 END) / 1e9 AS loading_s,\n"
	 "sum(t.bytes_read) AS bytes_read, sum(t.bytes_written) AS bytes_written\n"
	 "FROM records r LEFT JOIN records p ON p.id = r.parent LEFT JOIN t ON t.id = r.id\n"
	 "WHERE r.epoch IS NOT NULL OR r.step IS NOT NULL GROUP BY r.epoch, r.step, r.stream ORDER BY r.epoch, r.step, r.world, r.rank, r.stream"},
	/* bursts as libanalysis finds them, by the same 1,024 bins of time (lib/analysis/bursts.c) */
	{"io_phases",
	 "WITH RECURSIVE p AS (SELECT whole, width, (whole - 1) / width + 1 AS bins FROM (SELECT max(value, 1) AS whole,\n"
	 "(max(value, 1) - 1) / 1024 + 1 AS width FROM trace WHERE name = 'duration')),\n"
	 "t AS MATERIALIZED (SELECT CASE operation WHEN 'write' THEN 'writes' ELSE 'reads' END AS direction, world, rank, bytes, tstart,\n"
	 "min(tend, whole) AS tend, min(tstart / width, bins - 1) AS first, min(tend / width, bins - 1) AS last FROM transfers, p\n"
	 "WHERE class = 'data' AND bytes > 0),\n"
	 "b AS (SELECT direction, first AS bin, last, tstart, tend, bytes, 0 AS given FROM t UNION ALL SELECT direction, bin + 1, last,\n"
	 "tstart, tend, bytes, ((bin + 1) * width - tstart) * bytes / (tend - tstart) FROM b, p WHERE bin < last),\n"
	 "f AS MATERIALIZED (SELECT direction, bin, sum(CASE WHEN bin < last THEN ((bin + 1) * width - tstart) * bytes / (tend - tstart)\n"
	 "ELSE bytes END - given) AS bytes FROM b, p GROUP BY direction, bin),\n"
	 "l AS (SELECT direction, max(1, total / bins / 10) AS least FROM (SELECT direction, sum(bytes) AS total FROM f GROUP BY direction), p),\n"
	 "busy AS MATERIALIZED (SELECT f.direction, bin, coalesce(bin - lag(bin) OVER (PARTITION BY f.direction ORDER BY bin) - 1, 0) AS gap\n"
	 "FROM f JOIN l ON l.direction = f.direction WHERE f.bytes >= l.least),\n"
	 "runs AS (SELECT direction, count(*) OVER w AS n, row_number() OVER (PARTITION BY direction ORDER BY length) - 1 AS at, length\n"
	 "FROM (SELECT direction, max(bin) - min(bin) + 1 AS length FROM (SELECT direction, bin, sum(gap >= 3) OVER (PARTITION BY direction\n"
	 "ORDER BY bin) AS run FROM busy) GROUP BY direction, run) WINDOW w AS (PARTITION BY direction)),\n"
	 "gaps AS (SELECT direction, count(*) OVER w AS n, row_number() OVER (PARTITION BY direction ORDER BY gap) - 1 AS at, gap\n"
	 "FROM busy WHERE gap >= 3 WINDOW w AS (PARTITION BY direction)),\n"
	 "v AS (SELECT runs.direction, CASE WHEN 3 * coalesce(gap, 0) < length THEN bins ELSE max(3, (gap + 1) / 2) END AS divides\n"
	 "FROM p, runs LEFT JOIN gaps ON gaps.direction = runs.direction AND gaps.at = gaps.n / 2 WHERE runs.at = runs.n / 2),\n"
	 "r AS (SELECT direction, min(bin) AS first, max(bin) + 1 AS last FROM (SELECT busy.direction, bin, sum(gap >= divides) OVER\n"
	 "(PARTITION BY busy.direction ORDER BY bin) AS number FROM busy JOIN v ON v.direction = busy.direction) GROUP BY direction, number)\n"
	 "SELECT direction, first * width / 1e9 AS begin_s, CASE WHEN last < bins THEN last * width ELSE whole END / 1e9 AS end_s,\n"
	 "(SELECT sum(bytes) FROM f WHERE f.direction = r.direction AND bin >= first AND bin < last) AS bytes,\n"
	 "(SELECT count(DISTINCT world || ':' || rank) FROM t WHERE t.direction = r.direction AND t.first < r.last AND t.last >= r.first) AS ranks\n"
	 "FROM r, p ORDER BY first, direction"},
	{"messages",
	 "SELECT id, tstart, tend, duration, world, rank AS source, coalesce(peer_world, world) AS dest_world, peer AS dest, tag, comm,\n"
	 "sent AS bytes, function FROM records WHERE operation = 'point-to-point' AND function GLOB '*[Ss]end*'\n"
	 "AND peer IS NOT NULL AND errno IS NULL"},
	{"message_pairs",
	 "WITH s AS (SELECT id, world, rank, coalesce(peer_world, world) AS to_world, peer AS dest, tag, comm, tstart, tend, sent AS bytes, function,\n"
	 "row_number() OVER (PARTITION BY comm, world, rank, coalesce(peer_world, world), peer, tag ORDER BY tstart, id) AS number FROM records\n"
	 "WHERE operation = 'point-to-point' AND function GLOB 'MPI_*[Ss]end' AND peer IS NOT NULL AND errno IS NULL),\n"
	 "r AS (SELECT id, world, rank, coalesce(peer_world, world) AS from_world, peer AS source, tag, comm, tstart, tend, function,\n"
	 "row_number() OVER (PARTITION BY comm, coalesce(peer_world, world), peer, world, rank, tag ORDER BY tstart, id) AS number FROM records\n"
	 "WHERE function IN ('MPI_Recv', 'MPI_Irecv') AND peer IS NOT NULL AND tag >= 0 AND errno IS NULL)\n"
	 "SELECT s.id AS send, r.id AS receive, s.world, s.rank AS source, r.world AS dest_world, r.rank AS dest, s.tag, s.comm, s.number, s.bytes,\n"
	 "s.tstart AS sent_at, r.tstart AS posted_at, (s.tstart - r.tstart) / 1e9 AS late_s FROM s JOIN r ON r.comm = s.comm AND r.tag = s.tag\n"
	 "AND r.number = s.number AND r.from_world = s.world AND r.source = s.rank AND r.world = s.to_world AND r.rank = s.dest ORDER BY s.tstart, s.id"},
	{"conflicts",
	 "WITH t AS (SELECT id, world, rank, file, path, operation, tstart, tend, offset, offset + bytes AS behind FROM transfers\n"
	 "WHERE offset IS NOT NULL AND bytes > 0 AND class = 'data' AND operation IN ('read', 'write'))\n"
	 "SELECT a.path, a.world, a.rank AS one, b.world AS other_world, b.rank AS other, max(a.offset, b.offset) AS begin, min(a.behind, b.behind) AS \"end\",\n"
	 "a.operation AS first, b.operation AS second, b.tstart < a.tend AS together, a.id AS first_id, b.id AS second_id\n"
	 "FROM t a JOIN t b ON b.file = a.file AND (b.world <> a.world OR b.rank <> a.rank) AND a.offset < b.behind AND b.offset < a.behind\n"
	 "AND (a.tstart < b.tstart OR a.tstart = b.tstart AND a.id < b.id) AND 'write' IN (a.operation, b.operation)\n"
	 "ORDER BY a.tstart, a.id, b.tstart, b.id"},
	/* of a process there can be two streams: what was recorded inside of it and outside */
	{"file_events",
	 "WITH k(layer) AS (VALUES ('block'), ('writeback'), ('iouring'), ('pagecache'), ('fault'), ('ext4'), ('xfs'), ('sched')),\n"
	 "i AS (SELECT c.file, c.layer AS call_layer, c.function AS call, c.id, e.layer, e.function, e.calls, e.bytes, e.duration,\n"
	 "max(0, min(e.tend, c.tend) - e.tstart) AS inside FROM records c JOIN streams s ON s.id = c.stream\n"
	 "JOIN records e ON e.tstart BETWEEN c.tstart AND c.tend AND e.tid = c.tid JOIN streams t ON t.id = e.stream\n"
	 "WHERE c.file IS NOT NULL AND c.layer NOT IN k AND t.outer_pid = s.outer_pid\n"
	 "AND (t.host = s.host OR t.outer_pid <> t.pid) /* a container calls the machine otherwise */\n"
	 "AND (e.layer IN k OR e.layer = 'kernel' AND c.layer <> 'kernel')),\n"
	 "o AS (SELECT e.file, e.layer, e.function, e.calls, e.bytes, e.duration FROM records e\n"
	 "WHERE e.file IS NOT NULL AND e.parent IS NULL AND e.layer IN k),\n"
	 "g AS (SELECT file, call_layer, call, count(DISTINCT id) AS calls, layer, function, sum(calls) AS events, sum(duration) / 1e9 AS time_s,\n"
	 "sum(inside) / 1e9 AS inside_s FROM i GROUP BY file, call_layer, call, layer, function\n"
	 "UNION ALL SELECT file, NULL, NULL, NULL, layer, function, sum(calls), sum(duration) / 1e9, NULL FROM o GROUP BY file, layer, function)\n"
	 "SELECT f.path, g.call_layer, g.call, g.calls, g.layer, g.function, g.events, g.time_s, g.inside_s\n"
	 "FROM g JOIN files f ON f.id = g.file ORDER BY f.path, g.call_layer, g.call, g.time_s DESC, g.function"},
	{"comm_matrix",
	 "SELECT world, source, dest_world, dest, count(*) AS messages, sum(bytes) AS bytes FROM messages\n"
	 "GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"},
	{"comm_time",
	 "SELECT r.comm, m.name, m.kind, m.size, r.function, sum(r.calls) AS calls, sum(r.duration) / 1e9 AS time_s,\n"
	 "sum(r.self) / 1e9 AS self_s, sum(r.sent) AS sent, sum(r.received) AS received\n"
	 "FROM records r LEFT JOIN comms m ON m.id = r.comm WHERE r.layer = 'mpi' AND r.comm IS NOT NULL\n"
	 "GROUP BY r.comm, r.function ORDER BY sum(r.self) DESC"},
	{"collective_parts",
	 "WITH c AS (SELECT id, comm, function, world, rank, tstart, tend, duration, sent, received, row_number() OVER (PARTITION BY comm, stream ORDER BY tstart, id) AS number FROM records\n"
	 "WHERE operation = 'collective' AND comm IS NOT NULL)\n"
	 "SELECT id, comm, number, function, world, rank, tstart, tend, duration, sent, received, min(tstart) OVER w AS first,\n"
	 "max(tstart) OVER w AS last, count(*) OVER w AS ranks FROM c WINDOW w AS (PARTITION BY comm, number)"},
	{"collective_calls",
	 "SELECT comm, number, function, ranks, first / 1e9 AS first_s, (last - first) / 1e9 AS spread_s,\n"
	 "max(CASE WHEN tstart = last THEN rank END) AS last_rank, sum(min(tend, last) - tstart) / 1e9 AS waited_s,\n"
	 "max(tend - last) / 1e9 AS rest_s\n"
	 "FROM collective_parts GROUP BY comm, number ORDER BY first, comm"},
	{"collectives",
	 "SELECT p.comm, m.name, p.function, count(DISTINCT p.number) AS times, max(p.ranks) AS ranks, sum(p.duration) / 1e9 AS time_s,\n"
	 "sum(min(p.tend, p.last) - p.tstart) / 1e9 AS waited_s, max(p.last - p.first) / 1e9 AS most_spread_s,\n"
	 "sum(p.sent) AS sent, sum(p.received) AS received\n"
	 "FROM collective_parts p LEFT JOIN comms m ON m.id = p.comm GROUP BY p.comm, p.function ORDER BY waited_s DESC"},
	{"stragglers",
	 "SELECT world, rank, count(*) AS collectives, sum(tstart = last) AS came_last,\n"
	 "sum(min(tend, last) - tstart) / 1e9 AS waited_s, round(avg(last - tstart) / 1e9, 9) AS mean_ahead_s\n"
	 "FROM collective_parts WHERE ranks > 1 GROUP BY world, rank ORDER BY waited_s, world, rank"},
	{"processes",
	 "SELECT s.id AS stream, s.parent, s.world, s.rank, s.pid, s.exe, s.start / 1e9 AS start_s, (s.\"end\" - s.start) / 1e9 AS lasted_s,\n"
	 "s.records AS calls, s.state, s.reason, s.exit_status FROM streams s ORDER BY s.start, s.id"},
	{NULL, NULL},
};
/* clang-format on */
