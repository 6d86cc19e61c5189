//! Page: what can be known of it without a browser. `ci/steps/report.sh` drives it in one.

use stillframe_frames::report::{Live, PageOptions, html};
use stillframe_frames::run::*;

use super::{sample, scratch};

#[test]
fn pictures_stand_inside_once() {
    let run = sample("page");
    let page = html(&run, &PageOptions::default());
    assert!(page.beside.is_empty());
    for record in run.records.iter().filter(|record| record.status == Status::Differs) {
        for name in [&record.new_picture, &record.old_picture].into_iter().flatten() {
            assert_eq!(page.html.matches(&format!("id=\"p:{}\"", name.replace('/', "&#x2f;"))).count(), 1, "{name}");
        }
    }
    assert!(page.html.contains("26 of 69 cases failed"));
    // The same run is the same page.
    assert_eq!(html(&run, &PageOptions::default()), page);
}

#[test]
fn nothing_in_a_run_becomes_markup() {
    let evil = "</script><script>alert(1)</script><!--";
    let record = CaseRecord { scene: evil.into(), ..CaseRecord::without_picture(evil, Status::Crash, evil) };
    let header = RunHeader { id: evil.into(), commit: evil.into(), case_count: 1, ..RunHeader::default() };
    let run = Run { folder: scratch("evil"), header, records: vec![record], end: None, decisions: Default::default() };
    let page = html(&run, &PageOptions::default()).html;
    assert!(!page.contains("<script>alert") && !page.contains("</script><script"), "{page:.3000}");
    assert!(!page.contains("<!--"));
}

#[test]
fn names_do_not_lead_out_of_the_folder() {
    let folder = scratch("out");
    std::fs::write(folder.join("secret.png"), b"secret").unwrap();
    std::fs::create_dir(folder.join("run")).unwrap();
    let outside = CaseRecord {
        new_picture: Some("../secret.png".into()),
        old_picture: Some(folder.join("secret.png").to_string_lossy().into_owned()),
        ..CaseRecord::without_picture("a", Status::Differs, "")
    };
    let run = Run {
        folder: folder.join("run"),
        header: RunHeader::default(),
        records: vec![outside],
        end: None,
        decisions: Default::default(),
    };
    let page = html(&run, &PageOptions::default()).html;
    assert!(!page.contains("c2VjcmV0"), "base64 of the file");
}

#[test]
fn large_pages_keep_their_pictures_beside() {
    let run = sample("beside");
    let options = PageOptions { inside_max_bytes: 10_000, ..PageOptions::default() };
    let page = html(&run, &options);
    assert!(!page.beside.is_empty() && !page.html.contains("id=\"p:"));
    assert!(page.html.contains("id=\"t:"), "small pictures stay inside");
    let path = scratch("beside-page").join("report.html");
    page.write(&run, &path).unwrap();
    for name in &page.beside {
        let file = name.rsplit('/').next().unwrap();
        let script =
            std::fs::read_to_string(path.with_file_name("report-pictures").join(format!("{file}.js"))).unwrap();
        assert!(script.starts_with(&format!("stillframePicture(\"{name}\",\"")) && script.ends_with("\");\n"));
    }
}

#[test]
fn missing_pictures_are_told() {
    let run = sample("missing");
    std::fs::remove_file(run.folder.join(run.records[0].new_picture.as_ref().unwrap())).unwrap();
    let page = html(&run, &PageOptions::default()).html;
    assert!(page.contains("pictures of this run are missing from its folder"));
}

#[test]
fn a_live_page_talks_to_its_server_alone() {
    let run = sample("live");
    let page = html(&run, &PageOptions { live: Some(Live { token: "t0k3n".into() }), ..PageOptions::default() });
    assert!(page.html.contains("t0k3n") && page.html.contains("connect-src &#x27;self&#x27;"));
    assert!(!page.html.contains("id=\"p:") && page.beside.is_empty());
    let still = html(&run, &PageOptions::default()).html;
    assert!(still.contains("connect-src &#x27;none&#x27;"));
}
