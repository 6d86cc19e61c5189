//! Bevy: an app with `AnimationPlugin`, whose time is moved by hand before each update.

use std::time::Duration;

use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle, AnimationNodeIndex};
use bevy_animation::{ActiveAnimation, AnimationClip, AnimationEvent, AnimationPlayer, AnimationPlugin, RepeatAnimation};
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::{Entity, On, ResMut, Resource};
use bevy_time::Time;

use crate::{Clip, Controller, Mode};

#[derive(AnimationEvent, Clone)]
struct Fired(usize);

#[derive(Resource, Default)]
struct Log(Vec<usize>);

pub struct Bevy {
    app: App,
    player: Entity,
    node: AnimationNodeIndex,
}

impl Bevy {
    pub fn new(clip: &Clip) -> Bevy {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), AnimationPlugin));
        app.init_resource::<Time>().init_resource::<Log>();
        app.add_observer(|fired: On<Fired>, mut log: ResMut<Log>| log.0.push(fired.0));
        app.finish();
        app.cleanup();
        let mut asset = AnimationClip::default();
        asset.set_duration(clip.length_s);
        for (index, time_s) in clip.events_s.iter().enumerate() {
            asset.add_event(*time_s, Fired(index));
        }
        let asset = app.world_mut().resource_mut::<Assets<AnimationClip>>().add(asset);
        let (graph, node) = AnimationGraph::from_clip(asset);
        let graph = app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
        let mut player = AnimationPlayer::default();
        let repeat = if clip.mode == Mode::Loop { RepeatAnimation::Forever } else { RepeatAnimation::Never };
        player.play(node).set_repeat(repeat).set_speed(clip.speed).set_seek_time(clip.start_s);
        let player = app.world_mut().spawn((player, AnimationGraphHandle(graph))).id();
        Bevy { app, player, node }
    }

    fn active(&mut self, change: impl FnOnce(&mut ActiveAnimation)) {
        let mut player = self.app.world_mut().get_mut::<AnimationPlayer>(self.player).expect("spawned above");
        change(player.animation_mut(self.node).expect("played above"));
    }
}

impl Controller for Bevy {
    fn step(&mut self, step_s: f32) -> Vec<usize> {
        self.app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f32(step_s));
        self.app.update();
        std::mem::take(&mut self.app.world_mut().resource_mut::<Log>().0)
    }

    fn set_speed(&mut self, speed: f32) {
        self.active(|active| {
            active.set_speed(speed);
        });
    }

    fn seek(&mut self, to_s: f32) {
        // `seek_to` would fire the events on the way.
        self.active(|active| {
            active.set_seek_time(to_s);
        });
    }

    fn set_paused(&mut self, is_paused: bool) {
        self.active(|active| {
            if is_paused { active.pause() } else { active.resume() };
        });
    }

    fn local_s(&self) -> f32 {
        let player = self.app.world().get::<AnimationPlayer>(self.player).expect("spawned above");
        player.animation(self.node).expect("played above").seek_time()
    }
}
