//! The cases of `stillframe bench` under criterion, at every instruction set of this machine.

use criterion::{Criterion, Throughput};
use stillframe_base::lanes::Isa;
use stillframe_lab::bench::{Setting, Unit, cases};

/// Times the cases whose names begin so.
pub fn time(criterion: &mut Criterion, prefix: &str) {
    for case in cases(prefix) {
        let mut group = criterion.benchmark_group(case.name);
        let mut wanted = None;
        for isa in if case.by_isa { Isa::available() } else { vec![Isa::detect()] } {
            let mut work = (case.prepare)(Setting { isa, threads: 1 });
            let found = work.check().unwrap_or_else(|why| panic!("{} at {isa}: {why}", case.name));
            assert_eq!(*wanted.get_or_insert(found), found, "{} at {isa}: other bits", case.name);
            group.throughput(match case.unit {
                Unit::GbPerS | Unit::MbPerS => Throughput::Bytes(work.amount as u64),
                _ => Throughput::Elements(work.amount as u64),
            });
            group.bench_function(isa.name(), |bencher| bencher.iter(|| work.run()));
        }
        group.finish();
    }
}
